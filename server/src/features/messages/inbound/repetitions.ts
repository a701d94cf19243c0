/** Texts that a carrier hands over again, as it has not had our answer: they count once. */
import { createHash } from 'node:crypto'
import type { EntityManager } from 'typeorm'
import { isDuplicate } from '../../../infrastructure/database/database.js'
import { insertRows } from '../../../infrastructure/database/rows.js'
import { InboundSegmentRow } from './inbound-segment.entity.js'

/** How long the same bytes on another connection count as a repetition, and those of a part on any connection. */
const repeatedForMs = 300_000

/**
 * Stores a text that a carrier has delivered, unless it is a repetition.
 *
 * A text with a carrier's id is recognised by the id, however late it is repeated. A text without one is a repetition
 * if the same bytes came on another connection shortly before. On the same connection they are a new text: somebody who
 * writes `Yes` twice means it. Each row matches one repetition only, and keeps the connection that brought it last. A
 * segment of a long text is recognised on any connection, by its reference and its number.
 * @returns false for a repetition
 */
export async function keepOnce(tx: EntityManager, row: InboundSegmentRow): Promise<boolean> {
  if (row.carrier_message_id === null && (await (row.segment === null ? hasMoved : isThere)(tx, row)))
    return false
  try {
    await insertRows(tx, InboundSegmentRow, [row])
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}

async function hasMoved(tx: EntityManager, row: InboundSegmentRow): Promise<boolean> {
  const { affectedRows } = await tx.query<{ affectedRows: number }>(
    `UPDATE inbound_segments SET bind_id = ?
     WHERE carrier_id = ? AND fingerprint = ? AND received_at > ? AND bind_id <> ? AND carrier_message_id IS NULL
     ORDER BY received_at LIMIT 1`,
    [
      ...[row.bind_id, row.carrier_id, row.fingerprint],
      ...[new Date(row.received_at.getTime() - repeatedForMs), row.bind_id],
    ],
  )
  return affectedRows === 1
}

/** Also of a text that is complete by now. */
async function isThere(tx: EntityManager, row: InboundSegmentRow): Promise<boolean> {
  const rows = await tx.query<unknown[]>(
    'SELECT 1 FROM inbound_segments WHERE carrier_id = ? AND fingerprint = ? AND received_at > ? LIMIT 1',
    [row.carrier_id, row.fingerprint, new Date(row.received_at.getTime() - repeatedForMs)],
  )
  return rows.length > 0
}

/** Characters of the column. */
const longestId = 128

/** A carrier's id in the form that is stored. Segments of one text may share an id, so the segment's number is added. */
export function storedId(id: string | null, part: number | null): string | null {
  if (id === null || id === '') return null
  const whole = part === null ? id : `${id}/${part}`
  if (whole.length <= longestId && /^[!-~]+$/.test(whole)) return whole
  return createHash('sha256').update(whole).digest('hex')
}
