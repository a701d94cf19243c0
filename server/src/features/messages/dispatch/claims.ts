/** Messages that one carrier's runner takes out of the queue to submit them. */
import { type EntityManager, In } from 'typeorm'
import type { MediaLink, OutboundText } from '../../../adapters/sms/link.js'
import type { Database } from '../../../infrastructure/database/database.js'
import { entityOf } from '../../../infrastructure/database/rows.js'
import { grouped } from '../../../lib/grouped.js'
import type { PublicUrls } from '../../../infrastructure/http/public-urls.js'
import { MessageAttachment } from '../media/message-attachment.entity.js'
import type { MessageChanges } from '../message-changes.js'
import { Message } from '../message.entity.js'
import { holdsLease } from './carrier-leases.js'

/** A message that is being submitted. */
export interface ClaimedMessage {
  readonly text: OutboundText
  readonly workspace_id: string
  readonly phone_number_id: string
  /** How often carriers have refused it. */
  readonly attempts: number
  readonly giveUpAt: Date
  /** Segments that a carrier has taken before. */
  readonly accepted: ReadonlySet<number>
}

interface QueueRow {
  message_id: string
  attempts: number
  give_up_at: Date
}

interface Options {
  database: Database
  changes: MessageChanges
  urls: PublicUrls
  serverId: string
}

export class Claims {
  constructor(private readonly options: Options) {}

  /**
   * Takes what is due at a carrier, the longest due first. Whatever is submitted of it afterwards, the database knows
   * already that it may have been.
   * @returns none when another server holds the carrier
   */
  async take(carrierId: string, limit: number): Promise<ClaimedMessage[]> {
    const { database, serverId } = this.options
    return database.transaction(async (tx) => {
      if (!(await holdsLease(tx, carrierId, serverId))) return []
      const rows = await tx.query<QueueRow[]>(
        `SELECT message_id, attempts, give_up_at FROM message_queue
         WHERE carrier_id = ? AND state = 'queued' AND due_at <= ?
           AND workspace_id NOT IN (SELECT id FROM workspaces WHERE deleted_at IS NOT NULL)
         ORDER BY due_at, message_id LIMIT ? FOR UPDATE SKIP LOCKED`,
        [carrierId, new Date(), limit],
      )
      if (rows.length === 0) return []
      await tx.query(`UPDATE message_queue SET state = 'submitting' WHERE message_id IN (?)`, [
        rows.map(({ message_id }) => message_id),
      ])
      return this.claimed(tx, rows)
    })
  }

  /** Puts back what is claimed at a carrier, but for what is in the hands of its runner. */
  async putBack(carrierId: string, inHand: ReadonlySet<string>): Promise<void> {
    const { database, serverId } = this.options
    await database.transaction(async (tx) => {
      if (!(await holdsLease(tx, carrierId, serverId))) return
      const others = inHand.size > 0 ? 'AND message_id NOT IN (?)' : ''
      await tx.query(
        `UPDATE message_queue SET state = 'queued' WHERE carrier_id = ? AND state = 'submitting' ${others}`,
        inHand.size > 0 ? [carrierId, [...inHand]] : [carrierId],
      )
    })
  }

  private async claimed(tx: EntityManager, rows: readonly QueueRow[]): Promise<ClaimedMessage[]> {
    const ids = rows.map(({ message_id }) => message_id)
    const fresh = await this.options.changes.apply(
      tx,
      ids.map((id) => ({ id, to: 'sending' as const })),
    )
    const messages = new Map(fresh.map((message) => [message.id, message]))
    const again = ids.filter((id) => !messages.has(id))
    for (const message of await sendingAmong(tx, again)) messages.set(message.id, message)
    // Messages that were sent or deleted meanwhile are not submitted.
    const over = ids.filter((id) => !messages.has(id))
    if (over.length > 0) await tx.query('DELETE FROM message_queue WHERE message_id IN (?)', [over])
    const accepted = await acceptedOf(tx, again)
    const media = await this.mediaOf(tx, [...messages.values()])
    const countries = await countriesOf(tx, [...messages.values()])
    return rows.flatMap(({ message_id: id, attempts, give_up_at }) => {
      const message = messages.get(id)
      if (!message) return []
      const { workspace_id, phone_number_id } = message
      const text = textOf(message, media.get(id) ?? [], countries.get(phone_number_id))
      const before = new Set(accepted.get(id)?.map(({ segment }) => segment))
      return [{ text, workspace_id, phone_number_id, attempts, giveUpAt: give_up_at, accepted: before }]
    })
  }

  private async mediaOf(
    tx: EntityManager,
    messages: readonly Message[],
  ): Promise<ReadonlyMap<string, MediaLink[]>> {
    const ids = messages.filter(({ attachments }) => attachments > 0).map(({ id }) => id)
    if (ids.length === 0) return new Map()
    const files = await tx.find(MessageAttachment, {
      where: { message_id: In(ids) },
      order: { position: 'ASC' },
    })
    const links = [...grouped(files, ({ message_id }) => message_id)].map(
      ([id, those]) => [id, those.map((file) => this.linkOf(file))] as const,
    )
    return new Map(links)
  }

  private linkOf({ workspace_id, id, token, content_type, bytes }: MessageAttachment): MediaLink {
    return { url: this.options.urls.of(workspace_id, `/media/${id}/${token}`), content_type, bytes }
  }
}

function textOf(message: Message, media: readonly MediaLink[], country: string | undefined): OutboundText {
  const { id, system_number, originator, client_number, body, encoding } = message
  const text = { id, from: originator ?? system_number, to: client_number, body, encoding, media }
  return country === undefined ? text : { ...text, country }
}

/** The countries of numbers that send as a name or a short code, which has none. */
async function countriesOf(
  tx: EntityManager,
  messages: readonly Message[],
): Promise<ReadonlyMap<string, string>> {
  const ids = messages.filter(({ originator }) => originator !== null).map((one) => one.phone_number_id)
  if (ids.length === 0) return new Map()
  const rows = await tx.query<{ id: string; country_code: string }[]>(
    'SELECT id, country_code FROM phone_numbers WHERE id IN (?)',
    [[...new Set(ids)]],
  )
  return new Map(rows.map(({ id, country_code }) => [id, country_code]))
}

/** The messages of which some segments have been submitted before. */
async function sendingAmong(tx: EntityManager, ids: readonly string[]): Promise<Message[]> {
  if (ids.length === 0) return []
  const rows = await tx.query<Record<string, unknown>[]>(
    `SELECT * FROM messages WHERE id IN (?) AND status = 'sending'`,
    [ids],
  )
  return rows.map((row) => entityOf(tx, Message, row))
}

async function acceptedOf(
  tx: EntityManager,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { message_id: string; segment: number }[]>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<{ message_id: string; segment: number }[]>(
    'SELECT message_id, segment FROM message_segments WHERE message_id IN (?)',
    [ids],
  )
  return grouped(rows, ({ message_id }) => message_id)
}
