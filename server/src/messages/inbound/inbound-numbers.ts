/** The numbers of ours that texts are for. */
import type { EntityManager } from 'typeorm'
import { entityOf } from '../../database/rows.js'
import { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { InboundSegmentRow } from './inbound-segment.entity.js'

/** The active numbers that a text is for: the same digits may be in several workspaces. */
export async function numbersOf(
  tx: EntityManager,
  { carrier_id, to_number }: Pick<InboundSegmentRow, 'carrier_id' | 'to_number'>,
): Promise<PhoneNumber[]> {
  const rows = await tx.query<Record<string, unknown>[]>(
    `SELECT number.* FROM phone_numbers number
     JOIN number_carriers assigned ON assigned.phone_number_id = number.id AND assigned.carrier_id = ?
     WHERE number.number = ? AND number.status = 'active' ORDER BY number.id`,
    [carrier_id, to_number],
  )
  return rows.map((row) => entityOf(tx, PhoneNumber, row))
}

/** Whoever brings the parts of a text does so one after the other, so that the last one sees all others. */
export async function lockParts(
  tx: EntityManager,
  { carrier_id }: Pick<InboundSegmentRow, 'carrier_id'>,
  numbers: readonly PhoneNumber[],
): Promise<void> {
  if (numbers.length === 0) return
  await tx.query(
    `SELECT 1 FROM number_carriers WHERE carrier_id = ? AND phone_number_id IN (?)
     ORDER BY phone_number_id FOR UPDATE`,
    [carrier_id, numbers.map(({ id }) => id)],
  )
}
