/** Long texts, which carriers hand over in parts: in any order, beside others, and not always all of them. */
import type { EntityManager } from 'typeorm'
import { type EncodedText, decodeTexts, encodedText } from '../../../adapters/sms/text/encoded-text.js'
import { entityOf } from '../../../infrastructure/database/rows.js'
import { InboundSegmentRow } from './inbound-segment.entity.js'

/** What the segments of one text have in common. */
export type PartsKey = Pick<
  InboundSegmentRow,
  'carrier_id' | 'from_number' | 'to_number' | 'reference' | 'total'
>

/** Replaces a segment that has not come. */
const missingPart = '[…]'

/** The segments of a text that have come, in their order. */
export async function waitingParts(tx: EntityManager, key: PartsKey): Promise<InboundSegmentRow[]> {
  const rows = await tx.query<Record<string, unknown>[]>(
    `SELECT * FROM inbound_segments
     WHERE carrier_id = ? AND from_number = ? AND to_number = ? AND reference = ? AND total = ? ORDER BY segment`,
    [key.carrier_id, key.from_number, key.to_number, key.reference, key.total],
  )
  return rows.map((row) => entityOf(tx, InboundSegmentRow, row))
}

/** Parts wait no more: their text is kept as a message. */
export async function release(tx: EntityManager, parts: readonly InboundSegmentRow[]): Promise<void> {
  if (parts.length === 0) return
  await tx.query('UPDATE inbound_segments SET body = NULL, coding = NULL, reference = NULL WHERE id IN (?)', [
    parts.map(({ id }) => id),
  ])
}

/** The texts with parts that have waited since before `before`. */
export async function overdue(tx: EntityManager, before: Date, limit: number): Promise<PartsKey[]> {
  return tx.query<PartsKey[]>(
    `SELECT DISTINCT carrier_id, from_number, to_number, reference, total FROM inbound_segments
     WHERE reference IS NOT NULL AND received_at < ? LIMIT ?`,
    [before, limit],
  )
}

type Part = Pick<InboundSegmentRow, 'segment' | 'total' | 'coding' | 'body'>

/** Joins the segments of a text, with a mark for each missing one. Adjacent segments are decoded together. */
export function joined(parts: readonly Part[]): string {
  const total = parts[0]?.total ?? 0
  const bySegment = new Map(parts.map((part) => [part.segment, part]))
  let text = ''
  let run: EncodedText[] = []
  for (let segment = 0; segment < total; segment++) {
    const { body, coding } = bySegment.get(segment) ?? {}
    if (body) {
      run.push(encodedText(body, coding ?? null))
      continue
    }
    text += decodeTexts(run) + missingPart
    run = []
  }
  return text + decodeTexts(run)
}
