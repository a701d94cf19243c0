/**
 * Applies delivery receipts. A receipt is matched by the carrier's id of a segment and, if it has one, by its
 * recipient. A receipt without a known segment is stored for a while: it may have overtaken the answer to its
 * submission. Late, repeated and unknown receipts change nothing.
 */
import type { EntityManager } from 'typeorm'
import type { Receipt } from '../../../adapters/sms/link.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { entityOf, insertRows } from '../../../infrastructure/database/rows.js'
import { grouped } from '../../../lib/grouped.js'
import type { MessageChange, MessageChanges } from '../message-changes.js'
import { MessageSegment, UnmatchedReceipt } from './dispatch.entity.js'

const maxIdLength = 128

/** Spellings of an id by which a receipt is looked up; further ones are ignored. */
const maxIds = 8

/** Numbers may come without their country code: at least this many digits at the end must match. */
const leastDigits = 6

interface Reason {
  readonly optedOut: boolean
  readonly code: string
  readonly message: string | null
}

export class ReceiptWriter {
  constructor(private readonly changes: MessageChanges) {}

  /** Receipts that came before the submissions which have these ids were answered; they are no longer kept. */
  async takeWaiting(tx: EntityManager, carrierId: string, ids: readonly string[]): Promise<Receipt[]> {
    if (ids.length === 0) return []
    const rows = await tx.query<Record<string, unknown>[]>(
      'SELECT * FROM unmatched_receipts WHERE carrier_id = ? AND carrier_message_id IN (?)',
      [carrierId, ids],
    )
    if (rows.length === 0) return []
    const waiting = rows.map((row) => entityOf(tx, UnmatchedReceipt, row))
    await this.forget(tx, waiting)
    return waiting.map(({ receipt }) => receipt)
  }

  /** With all spellings of its id: one of them may match another message. */
  async forget(tx: EntityManager, waiting: readonly UnmatchedReceipt[]): Promise<void> {
    const rows = waiting.flatMap(({ carrier_id, receipt, created_at }) =>
      receipt.carrier_message_ids.map((id) => [carrier_id, id, created_at]),
    )
    await tx.query(
      'DELETE FROM unmatched_receipts WHERE (carrier_id, carrier_message_id, created_at) IN (?)',
      [rows],
    )
  }

  /**
   * Applies receipts of a carrier, in their order.
   * @param sent messages of several segments that have just been sent: receipts of segments may have come before
   * @param keepsUnmatched false where what is not matched is kept already
   */
  async apply(
    tx: EntityManager,
    carrierId: string,
    receipts: readonly Receipt[],
    { sent = [], keepsUnmatched = true }: { sent?: readonly string[]; keepsUnmatched?: boolean } = {},
  ): Promise<void> {
    const final = receipts.filter(({ state }) => state !== 'pending').map(withStoredIds)
    if (final.length + sent.length === 0) return
    const ids = final.flatMap(({ carrier_message_ids }) => carrier_message_ids)
    const own = final.flatMap(({ message_id }) => message_id ?? [])
    const named = [...sent, ...(await ownMessages(tx, carrierId, own))]
    const segments = await segmentsOf(tx, carrierId, ids, named)
    const byCarrierId = grouped(
      segments.filter((one) => one.carrier_id === carrierId),
      (one) => one.carrier_message_id,
    )
    const reasons = new Map<string, Reason>()
    const unmatched: Receipt[] = []
    const ended = new Map<MessageSegment, MessageSegment['state']>()
    for (const receipt of final) {
      const segment = matchOf(receipt, byCarrierId) ?? ownMatchOf(receipt, carrierId, segments)
      if (!segment) unmatched.push(receipt)
      else if (segment.state === 'accepted' && !ended.has(segment)) {
        ended.set(segment, receipt.state === 'delivered' ? 'delivered' : 'undelivered')
        if (receipt.state !== 'delivered' && !reasons.has(segment.message_id)) {
          reasons.set(segment.message_id, {
            code: receipt.error_code ?? 'undelivered',
            message: receipt.error_message,
            optedOut: receipt.has_opted_out ?? false,
          })
        }
      }
    }
    if (keepsUnmatched) await keepUnmatched(tx, carrierId, unmatched)
    await this.settle(tx, segments, ended, reasons)
  }

  /** Ends messages with all segments in a final state, or with one that failed. */
  private async settle(
    tx: EntityManager,
    segments: readonly MessageSegment[],
    ended: ReadonlyMap<MessageSegment, MessageSegment['state']>,
    reasons: ReadonlyMap<string, Reason>,
  ): Promise<void> {
    const ends = [...grouped(segments, ({ message_id }) => message_id)].flatMap(([id, those]) => {
      const states = new Set(those.map((segment) => ended.get(segment) ?? segment.state))
      const change = endOf(id, states, reasons.get(id))
      return change ? [change] : []
    })
    // A message that is still being submitted has no final state yet.
    const changed = new Set((await this.changes.apply(tx, ends)).map(({ id }) => id))
    if (changed.size > 0) {
      await tx.query('DELETE FROM message_segments WHERE message_id IN (?)', [[...changed]])
    }
    for (const state of ['delivered', 'undelivered'] as const) {
      const kept = [...ended].filter(([segment, end]) => end === state && !changed.has(segment.message_id))
      if (kept.length === 0) continue
      await tx.query(`UPDATE message_segments SET state = ? WHERE (message_id, segment) IN (?)`, [
        state,
        kept.map(([{ message_id, segment }]) => [message_id, segment]),
      ])
    }
  }
}

function endOf(
  id: string,
  states: ReadonlySet<MessageSegment['state']>,
  reason: Reason | undefined,
): MessageChange | null {
  if (states.has('undelivered')) {
    const { code, message, optedOut } = reason ?? { code: 'undelivered', message: null, optedOut: false }
    const why = { error_code: code, ...(message !== null && { error_message: message }), optedOut }
    return { id, to: 'undelivered', ...why }
  }
  return states.has('accepted') ? null : { id, to: 'delivered' }
}

/** All segments of the messages that any of the ids belongs to, and of those that are named. */
async function segmentsOf(
  tx: EntityManager,
  carrierId: string,
  ids: readonly string[],
  messageIds: readonly string[],
): Promise<MessageSegment[]> {
  const found =
    ids.length === 0
      ? []
      : await tx.query<{ message_id: string }[]>(
          'SELECT message_id FROM message_segments WHERE carrier_id = ? AND carrier_message_id IN (?)',
          [carrierId, ids],
        )
  const all = new Set([...messageIds, ...found.map(({ message_id }) => message_id)])
  if (all.size === 0) return []
  const rows = await tx.query<Record<string, unknown>[]>(
    'SELECT * FROM message_segments WHERE message_id IN (?) ORDER BY message_id, segment FOR UPDATE',
    [[...all].sort()],
  )
  return rows.map((row) => entityOf(tx, MessageSegment, row))
}

/** Messages of the given ones that the carrier has taken. */
async function ownMessages(tx: EntityManager, carrierId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx.query<{ message_id: string }[]>(
    'SELECT message_id FROM message_segments WHERE message_id IN (?) AND carrier_id = ? AND segment = 0',
    [ids, carrierId],
  )
  return rows.map(({ message_id }) => message_id)
}

/** The segment of a receipt that gives our id back: a carrier that does takes messages whole. */
function ownMatchOf(
  receipt: Receipt,
  carrierId: string,
  segments: readonly MessageSegment[],
): MessageSegment | undefined {
  if (!receipt.message_id) return undefined
  return segments.find(
    ({ message_id, carrier_id, segment, client_number }) =>
      message_id === receipt.message_id &&
      carrier_id === carrierId &&
      segment === 0 &&
      (receipt.to === null || isSameNumber(client_number, receipt.to)),
  )
}

/** Whether a receipt names a segment that a carrier took for the number that it comes from. */
export async function namesSegment(tx: EntityManager, carrierId: string, receipt: Receipt): Promise<boolean> {
  const { carrier_message_ids } = withStoredIds(receipt)
  if (carrier_message_ids.length === 0) return false
  const found = await tx.query<{ client_number: string }[]>(
    'SELECT client_number FROM message_segments WHERE carrier_id = ? AND carrier_message_id IN (?)',
    [carrierId, carrier_message_ids],
  )
  return found.some(({ client_number }) => isFor(receipt, client_number))
}

function matchOf(
  receipt: Receipt,
  segments: ReadonlyMap<string | null, readonly MessageSegment[]>,
): MessageSegment | undefined {
  for (const id of receipt.carrier_message_ids) {
    const match = segments.get(id)?.find(({ client_number }) => isFor(receipt, client_number))
    if (match) return match
  }
  return undefined
}

/** Whether a receipt can be of a message to a client: its id alone may be that of another carrier's message, or an old one. */
export function isFor({ to, or_to }: Pick<Receipt, 'to' | 'or_to'>, client: string): boolean {
  if (to === null) return true
  return isSameNumber(client, to) || (or_to !== undefined && isSameNumber(client, or_to))
}

/** Whether two ways to write a number end alike: one of them may lack the country, or have a prefix. */
function isSameNumber(one: string, other: string): boolean {
  const [longer, shorter] = one.length >= other.length ? [one, other] : [other, one]
  return longer === shorter || (shorter.length >= leastDigits && longer.endsWith(shorter.replace(/^0+/, '')))
}

async function keepUnmatched(
  tx: EntityManager,
  carrier_id: string,
  receipts: readonly Receipt[],
): Promise<void> {
  const created_at = new Date()
  const rows = receipts.flatMap((receipt) =>
    receipt.carrier_message_ids.map((carrier_message_id) => ({
      ...{ id: newId('evt'), carrier_id, carrier_message_id, receipt, created_at },
    })),
  )
  await insertRows(tx, UnmatchedReceipt, rows)
}

function withStoredIds(receipt: Receipt): Receipt {
  const ids = receipt.carrier_message_ids.flatMap((id) => keptCarrierMessageId(id) ?? [])
  return { ...receipt, carrier_message_ids: [...new Set(ids)].slice(0, maxIds) }
}

/** A carrier's id as it fits into its column: what is not ASCII would be refused there. */
export function keptCarrierMessageId(id: string | null): string | null {
  return id === null ? null : id.replace(/[^\x20-\x7e]/g, '?').slice(0, maxIdLength)
}
