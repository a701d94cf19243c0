/** Messages to clients: the checks of a message, and how it is accepted. */
import type { EntityManager } from 'typeorm'
import { isGsm7 } from '../../adapters/sms/text/gsm7.js'
import { withLookAlikes } from '../../adapters/sms/text/plain.js'
import { encodingOf, segmentCount } from '../../adapters/sms/text/segments.js'
import { type Conversations, type MessageConversation, nextPlace } from './message-conversations.js'
import { type Database, afterCommit } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { insertRows } from '../../infrastructure/database/rows.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { forbidden, invalidField } from '../../infrastructure/http/errors.js'
import { type AllowedCountries, refusalText } from '../phone-numbers/allowed-countries.js'
import type { PhoneNumber } from '../phone-numbers/phone-number.entity.js'
import type { WorkspaceNumbers } from '../phone-numbers/workspace-numbers.js'
import type { FoundRate, Rates } from '../rates/rates.js'
import { costOfSegments } from '../rates/rating.js'
import type { CreditService, SpendLimit } from '../workspaces/credit.service.js'
import { type Originators, isOriginator } from './carriers/originators.js'
import { QueuedMessage } from './dispatch/dispatch.entity.js'
import { preferred } from './dispatch/retry.js'
import { type Carried, type Route, routesOf, takes } from './dispatch/routes.js'
import type { OptOuts } from './inbound/opt-outs.js'
import { maxBodyLength } from './message.schema.js'
import type { MessageSettingsService } from './settings/message-settings.js'
import type { MediaStore } from './media/media-store.js'
import type { OutboundMedia } from './media/outbound-media.js'
import { Message, type SenderType, publishStatus } from './message.entity.js'

/** Who sends. */
export interface Sender {
  readonly type: SenderType
  /** The id of an agent or a voice agent; null otherwise. */
  readonly id: string | null
}

/** A message to send; numbers are in E.164. */
export interface NewMessage {
  /** Also a name or a short code of a number of the workspace. */
  readonly from: string
  readonly to: string
  readonly body: string
  readonly media_urls?: readonly string[]
}

interface SendOptions {
  /** The field of the request with the client’s number. */
  readonly toField?: string
  /** The client has asked for it: a client who opted out gets the confirmation. */
  readonly despiteOptOut?: boolean
}

/** A message that may be accepted. */
export interface PreparedMessage {
  /** Writes the message, its conversation, its place in the queue and its price. @throws 400 as `prepare` */
  accept(tx: EntityManager): Promise<AcceptedMessage>
  /** Called if it was not accepted after all. */
  discard(): Promise<void>
}

/** A message that is accepted: it is on its way, whatever happens next. */
export interface AcceptedMessage {
  readonly message: Message
  /** The conversation after the message was added. */
  readonly conversation: MessageConversation
}

/** USD without which nothing is sent (contract, section Limits). */
const leastBalance = 0.01

interface Options {
  database: Database
  numbers: WorkspaceNumbers
  originators: Pick<Originators, 'find'>
  countries: AllowedCountries
  rates: Rates
  optOuts: OptOuts
  settings: Pick<MessageSettingsService, 'get'>
  conversations: Conversations
  credit: CreditService
  media: MediaStore
  outboundMedia: Pick<OutboundMedia, 'fetchLater'>
  /** Seconds for which carriers are tried. */
  giveUpAfter: number
  /** There is something to submit to a carrier; null: to none. */
  wake: (carrierId: string | null) => void
}

const unknownOriginator =
  'from is not a name or short code of this workspace: the operator says which ones its numbers send as'

/** Texts show their sender to others. */
const unverifiedSender =
  'from is a number that is not verified: let the operator verify it, or verify it with a code (POST /phone-numbers/:id/verification)'

export class OutboundMessages {
  constructor(private readonly options: Options) {}

  /**
   * Checks a message. Files that are elsewhere are fetched once it is accepted: no server of others holds up the answer.
   * @throws 400 naming what will not do, 403 for a country that may not be reached
   */
  async prepare(
    workspace: Owner,
    sender: Sender,
    written: NewMessage,
    { toField = 'to', despiteOptOut = false }: SendOptions = {},
  ): Promise<PreparedMessage> {
    const { conversations, credit, database, media, optOuts } = this.options
    const input = { ...written, body: await this.bodyOf(workspace, written.body) }
    const urls = input.media_urls ?? []
    if (input.body === '' && urls.length === 0) {
      throw invalidField('body', 'body must not be empty where there are no media_urls')
    }
    const { number, originator } = await this.senderOf(workspace, input.from)
    const client = await this.clientOf(workspace, input.to, toField)
    if (client === number.number) throw invalidField(toField, `${toField} must be another number than from`)
    const routes = await routesOf(database.source.manager, [number.id])
    const carried = { attachments: urls.length, originator }
    const carrierId = firstChoice(routesFor(routes.get(number.id) ?? [], carried))
    const rate = await this.rateOf(workspace, client)
    const price = priceOf(number, input, rate)
    const { available, broken } = await credit.spendable(workspace)
    if (price > 0 && broken) throw spentAll(broken)
    if (available < Math.max(price, leastBalance)) throw tooPoor(price)
    const areHere = await media.check(workspace, urls)
    const files = areHere ? await media.fetchAll(workspace, urls) : []
    const accept = async (tx: EntityManager): Promise<AcceptedMessage> => {
      const pair = { phone_number_id: number.id, system_number: number.number, client_number: client }
      const locked = await conversations.lockOf(tx, workspace, pair)
      if (!despiteOptOut && (await optOuts.has(tx, number.id, client))) throw optedOut(toField, number)
      const message = newMessage(locked, sender, input, { price, rate, areHere, originator })
      await insertRows(tx, Message, [message])
      afterCommit(tx, () => publishStatus(message))
      await media.attach(tx, message, files)
      const agent_id = sender.type === 'agent' ? sender.id : null
      const conversation = await conversations.add(tx, locked, { ...message, agent_id })
      if (areHere) await this.enqueue(tx, message, carrierId)
      else await this.options.outboundMedia.fetchLater(tx, message, urls, carrierId)
      await this.charge(tx, workspace, message)
      return { message, conversation }
    }
    return { accept, discard: async () => media.discard(files) }
  }

  /**
   * A text as it is sent and priced: in NFC, as a letter and its accent are one character of GSM-7 only together, and with
   * look-alikes where the workspace has them.
   */
  private async bodyOf(workspace: Owner, written: string): Promise<string> {
    const body = written.normalize('NFC')
    if (isGsm7(body)) return body
    const { replace_look_alikes } = await this.options.settings.get(workspace)
    const plain = replace_look_alikes ? withLookAlikes(body) : body
    return plain.length > maxBodyLength ? body : plain
  }

  /** The rate of a text to a number; null where no deck has one. @throws 403 for a prefix that may not be reached */
  private async rateOf(workspace: Owner, client: string): Promise<FoundRate | null> {
    const rate = await this.options.rates.find(workspace, 'message', client)
    if (rate?.is_blocked) {
      throw forbidden(`The workspace may not send messages to +${client}: its rates block this prefix`)
    }
    return rate
  }

  /** The number that sends, and what it sends as where that is another. @throws 400 naming `from` */
  private async senderOf(
    workspace: Owner,
    from: string,
  ): Promise<{ number: PhoneNumber; originator: string | null }> {
    if (!isOriginator(from)) return { number: await this.ownNumber(workspace, from), originator: null }
    const found = await this.options.originators.find(workspace, from)
    if (!found) throw invalidField('from', unknownOriginator)
    const number = await this.options.numbers.byId(workspace, found.phone_number_id)
    return { number: sending(number), originator: found.originator }
  }

  /** @throws 400 naming `from` */
  private async ownNumber(workspace: Owner, from: string): Promise<PhoneNumber> {
    const number = sending(await this.options.numbers.own(workspace, from))
    if (!number.is_verified) throw invalidField('from', unverifiedSender)
    return number
  }

  /** @returns digits @throws 400 naming the field, 403 */
  private async clientOf(workspace: Owner, to: string, field: string): Promise<string> {
    const number = await this.options.numbers.read(workspace, to)
    if (!number) throw invalidField(field, `${field} is not a possible E.164 number`)
    const refusal = await this.options.countries.refusal(workspace, number)
    if (refusal) throw forbidden(refusalText(refusal, 'send messages to', number))
    return number.digits
  }

  /** Queues a message whose files are there for its carrier. */
  async enqueue(tx: EntityManager, message: Message, carrierId: string | null): Promise<void> {
    const { giveUpAfter, wake } = this.options
    const now = new Date()
    const queued: QueuedMessage = {
      ...{ message_id: message.id, workspace_id: message.workspace_id, carrier_id: carrierId },
      ...{ state: 'queued', due_at: now, attempts: 0 },
      give_up_at: new Date(now.getTime() + giveUpAfter * 1000),
    }
    await insertRows(tx, QueuedMessage, [queued])
    afterCommit(tx, () => wake(carrierId))
  }

  /** The last of the transaction, as all messages of the workspace wait for one row. @throws 400 */
  private async charge(tx: EntityManager, workspace: Owner, { id, price }: Message): Promise<void> {
    if (price === 0) return
    const entry = { amount: -price, reason: 'message', reference: id, note: 'Message' } as const
    const { credit } = this.options
    if (await credit.spend(tx, workspace, entry, leastBalance)) return
    const broken = await credit.brokenLimit(workspace, tx)
    throw broken ? spentAll(broken) : tooPoor(price)
  }
}

/** @throws 400 naming `from` where the number cannot send */
function sending(number: PhoneNumber | null): PhoneNumber {
  if (!number) throw invalidField('from', 'from is not a number of this workspace')
  if (number.status !== 'active') throw invalidField('from', `from is ${number.status}, not active`)
  if (!number.capabilities.includes('sms')) {
    throw invalidField('from', 'from cannot send messages: it has no capability sms')
  }
  return number
}

/** The carriers that take a message. @throws 400 when none takes its files, or its sender */
function routesFor(routes: readonly Route[], carried: Carried): readonly Route[] {
  const { attachments, originator } = carried
  if (attachments === 0 && originator === null) return routes
  const taking = routes.filter((route) => takes(route, carried))
  if (taking.length > 0) return taking
  if (originator === null || !routes.some(({ takesOriginators }) => !takesOriginators)) {
    throw invalidField('media_urls', 'media_urls: from cannot send files, only texts')
  }
  throw invalidField(
    'from',
    `from: no carrier of its number takes ${originator} as the sender of this message`,
  )
}

/** If no carrier is active, the message waits for the first. */
function firstChoice(routes: readonly Route[]): string | null {
  const inUse = preferred(routes.filter(({ isActive }) => isActive))
  return (inUse ?? routes[0])?.carrierId ?? null
}

/** USD. */
function priceOf(
  { fee_per_segment, fee_per_mms }: PhoneNumber,
  { body, media_urls = [] }: NewMessage,
  rate: FoundRate | null,
): number {
  return media_urls.length > 0
    ? fee_per_mms
    : costOfSegments(segmentCount(body), rate?.price ?? fee_per_segment)
}

function spentAll({ name, max }: SpendLimit): Error {
  return forbidden(`The workspace has reached its limit ${name} of ${max} USD`)
}

function tooPoor(price: number): Error {
  const least = Math.max(price, leastBalance)
  return invalidField('balance', `The credit balance is too low: this message needs ${least} USD`)
}

function optedOut(field: string, { number }: PhoneNumber): Error {
  const rule = `has opted out of messages from +${number}: they can opt in with START`
  return invalidField(field, `${field} ${rule}`)
}

interface Accepted {
  readonly price: number
  readonly rate: FoundRate | null
  readonly areHere: boolean
  readonly originator: string | null
}

function newMessage(
  conversation: MessageConversation,
  sender: Sender,
  { body, media_urls = [] }: NewMessage,
  { price, rate, areHere, originator }: Accepted,
): Message {
  const place = nextPlace(conversation)
  const { workspace_id, phone_number_id, system_number, client_number } = conversation
  return {
    ...{ id: newId('msg'), workspace_id, ...place, phone_number_id },
    ...{ system_number, originator, client_number, direction: 'outbound', status: 'queued' },
    ...{ sender_type: sender.type, sender_id: sender.id },
    pending_media_urls: areHere ? null : [...media_urls],
    ...{ body, encoding: encodingOf(body), segments: segmentCount(body), attachments: media_urls.length },
    // Files are not sent at a price by segment.
    ...(media_urls.length > 0 || !rate
      ? { rate_deck_id: null, rate_prefix: null }
      : { rate_deck_id: rate.rate_deck_id, rate_prefix: rate.prefix }),
    ...{ price, cost: null, error_code: null, error_message: null },
    ...{ carrier_id: null, carrier_message_id: null, sent_at: null, updated_at: place.created_at },
  }
}
