/** Texts and MMS that carriers hand over: each becomes a message of its conversation, once. */
import type { EntityManager } from 'typeorm'
import type { Logger } from 'pino'
import type { InboundSegment, Receipt } from '../../../adapters/sms/link.js'
import { RepeatingTask } from '../../../lib/repeating-task.js'
import { type Conversations, nextPlace } from '../message-conversations.js'
import { deleteInBatches } from '../../../infrastructure/database/batches.js'
import { type Database, afterCommit } from '../../../infrastructure/database/database.js'
import { insertRows } from '../../../infrastructure/database/rows.js'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { InboundMedia } from '../media/inbound-media.js'
import type { MessageEvents } from '../message-events.js'
import { Message, publishStatus } from '../message.entity.js'
import { Attempts } from './attempts.js'
import { CarrierCountries } from './carrier-countries.js'
import { lockNumbers, lockRecipients } from './inbound-numbers.js'
import type { InboundSegmentRow } from './inbound-segment.entity.js'
import { type InboundText, messageOf, partOf, rowOf, textOf, textOfParts } from './inbound-text.js'
import { type PartsKey, overdue, release, waitingParts } from './long-texts.js'
import type { OptOutKeeper } from './opt-out-keeper.js'
import { senderOf, written } from './parties.js'
import { keepOnce } from './repetitions.js'

interface Options {
  database: Database
  conversations: Conversations
  events: MessageEvents
  media: Pick<InboundMedia, 'fetchInbound'>
  /** Null if the carriers handle opt-outs. */
  optOuts: OptOutKeeper | null
  log: Logger
}

/** A text, and where it came from. */
interface Delivery {
  /** Id of its row. */
  readonly id: string
  readonly carrierId: string
  readonly bindId: string
  readonly receipt: Receipt | null
}

/** How long the parts of a text wait for the others. */
const partsWaitMs = 600_000

const giveOutMs = 15_000

/** Texts that are given out at a time. */
const givenOutAtOnce = 500

/** How long repetitions of a carrier are recognised. */
const retainedMs = 86_400_000

export class InboundMessages {
  private readonly attempts = new Attempts()
  private readonly countries = new CarrierCountries()
  private readonly givingOut: RepeatingTask
  /** Texts for unknown numbers. */
  private unknown = 0

  constructor(private readonly options: Options) {
    this.givingOut = new RepeatingTask(
      { everyMs: giveOutMs, log: options.log, failure: ['message.parts_delayed', 'parts of texts wait on'] },
      async () => this.giveOut(),
    )
  }

  start(): void {
    this.givingOut.start()
  }

  async stop(): Promise<void> {
    await this.givingOut.stop()
  }

  /**
   * Takes a text from a carrier. It is stored when this returns, so the carrier may get a positive answer; when it
   * throws, the carrier should deliver it again. A text for a number that we do not have is accepted and dropped.
   * @param bindId names the connection: a carrier that has lost our answer repeats the text on another one
   * @param receipt the same text read as a receipt; if it names a message to its sender that has ended, it is not stored as
   * a text
   */
  async receive(
    carrierId: string,
    segment: InboundSegment,
    bindId: string,
    receipt: Receipt | null = null,
  ): Promise<void> {
    const key = `${carrierId} ${segment.fingerprint}`
    await this.attempts.make(key, async (id) => {
      await this.options.database.transaction(async (tx) =>
        this.take(tx, { id, carrierId, bindId, receipt }, segment),
      )
    })
  }

  /** Delivers incomplete texts whose missing parts have been waited for long enough. */
  async giveOut(now = new Date()): Promise<void> {
    const { database, log } = this.options
    const before = new Date(now.getTime() - partsWaitMs)
    for (const key of await overdue(database.source.manager, before, givenOutAtOnce)) {
      await database
        .transaction(async (tx) => this.giveOutOne(tx, key, before))
        .catch((error: unknown) =>
          log.warn(
            { event: 'message.part_delayed', err: error, carrier: key.carrier_id },
            'an incomplete text cannot be delivered now',
          ),
        )
    }
  }

  /** Forgets what no carrier will repeat any more. */
  async sweep(): Promise<void> {
    const before = new Date(Date.now() - retainedMs)
    const isOld = 'received_at < ? AND reference IS NULL'
    await deleteInBatches(this.options.database, 'inbound_segments', isOld, [before])
  }

  private async take(tx: EntityManager, delivery: Delivery, segment: InboundSegment): Promise<void> {
    const { id, carrierId, bindId, receipt } = delivery
    const isPart = partOf(segment) !== null
    const to = written(segment.to, segment.to_type, segment.numbers)
    const { digits, numbers } = await lockRecipients(tx, carrierId, to, this.countries, { isPart })
    const [number] = numbers
    if (!number) {
      this.drop({ carrier_id: carrierId, to_number: digits })
      return
    }
    const from_number = senderOf(
      written(segment.from, segment.from_type, segment.numbers),
      number.country_code,
    )
    if (receipt && (await isOfEnded(tx, carrierId, receipt, numbers, from_number))) return
    const row = rowOf(id, carrierId, segment, bindId, { from_number, to_number: digits })
    if (isPart) {
      for (const text of await joinParts(tx, row)) await this.writeAll(tx, numbers, text)
    } else if (await keepOnce(tx, row)) {
      await this.writeAll(tx, numbers, { ...textOf(row), body: segment.body, media: segment.media })
    }
  }

  private async giveOutOne(tx: EntityManager, key: PartsKey, before: Date): Promise<void> {
    const numbers = await lockNumbers(tx, key, { isPart: true })
    const parts = await waitingParts(tx, key)
    // Another server may have been here, and the parts of another text may wait by now.
    if (!parts.some(({ received_at }) => received_at < before)) return
    await release(tx, parts)
    if (numbers.length === 0) this.drop(key)
    else await this.writeAll(tx, numbers, textOfParts(parts))
  }

  private async writeAll(
    tx: EntityManager,
    numbers: readonly PhoneNumber[],
    text: InboundText,
  ): Promise<void> {
    for (const number of numbers) await this.write(tx, number, text)
  }

  private async write(tx: EntityManager, number: PhoneNumber, text: InboundText): Promise<void> {
    const { conversations, events, media, optOuts } = this.options
    const workspace = { id: number.workspace_id }
    const pair = {
      ...{ phone_number_id: number.id, system_number: number.number },
      client_number: text.client_number,
    }
    const conversation = await conversations.lockOf(tx, workspace, pair)
    const place = nextPlace(conversation)
    const message = messageOf({ ...pair, ...place, workspace_id: workspace.id }, text)
    await insertRows(tx, Message, [message])
    afterCommit(tx, () => publishStatus(message))
    await conversations.add(tx, conversation, { ...message, agent_id: null })
    const urls = text.media.map(({ url }) => url)
    if (urls.length > 0) await media.fetchInbound(tx, message, urls)
    else await events.record(tx, [message])
    await optOuts?.heed(tx, message, number)
  }

  private drop({ carrier_id, to_number }: Pick<InboundSegmentRow, 'carrier_id' | 'to_number'>): void {
    this.unknown += 1
    this.options.log.warn(
      { event: 'message.no_such_number', carrier: carrier_id, to: to_number, dropped: this.unknown },
      'a text is for no active number that this carrier is assigned to',
    )
  }
}

/** @returns the text that a segment completes, and another text that waited under the same reference */
async function joinParts(tx: EntityManager, row: InboundSegmentRow): Promise<InboundText[]> {
  const waiting = await waitingParts(tx, row)
  const same = waiting.find(({ segment }) => segment === row.segment)
  if (same?.fingerprint === row.fingerprint || !(await keepOnce(tx, row))) return []
  const parts = same ? [row] : [...waiting, row]
  const isWhole = parts.length === row.total
  await release(tx, [...(same ? waiting : []), ...(isWhole ? parts : [])])
  return [...(same ? [textOfParts(waiting)] : []), ...(isWhole ? [textOfParts(parts)] : [])]
}

/** How long carriers repeat receipts of a message. */
const receiptsAgainMs = 7 * 86_400_000

/** Whether a receipt that comes again is one of a message of ours which has its end. */
async function isOfEnded(
  tx: EntityManager,
  carrierId: string,
  { carrier_message_ids }: Receipt,
  numbers: readonly PhoneNumber[],
  client: string,
): Promise<boolean> {
  const since = new Date(Date.now() - receiptsAgainMs)
  const rows = await tx.query<unknown[]>(
    `SELECT 1 FROM conversations conversation
     JOIN messages message ON message.conversation_id = conversation.id AND message.created_at > ?
     WHERE (conversation.workspace_id, conversation.phone_number_id) IN (?) AND conversation.client_number = ?
       AND message.direction = 'outbound' AND message.carrier_id = ? AND message.carrier_message_id IN (?) LIMIT 1`,
    [
      since,
      numbers.map(({ id, workspace_id }) => [workspace_id, id]),
      client,
      carrierId,
      [...carrier_message_ids],
    ],
  )
  return rows.length > 0
}
