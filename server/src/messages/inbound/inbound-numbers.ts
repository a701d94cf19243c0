/** The numbers of ours that texts are for. */
import type { EntityManager } from 'typeorm'
import { entityOf } from '../../database/rows.js'
import { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { InboundSegmentRow } from './inbound-segment.entity.js'

/**
 * The active numbers that a text is for: the same digits may be in several workspaces. They stay as they are until the
 * transaction ends, so that nothing is written for a workspace that is being deleted.
 * @param isPart whoever brings parts of texts does so one after the other: the last one sees all others
 */
export async function lockNumbers(
  tx: EntityManager,
  { carrier_id, to_number }: Pick<InboundSegmentRow, 'carrier_id' | 'to_number'>,
  { isPart }: { isPart: boolean },
): Promise<PhoneNumber[]> {
  // From numbers to their carriers: the other way would lock all numbers of the carrier.
  const rows = await tx.query<Record<string, unknown>[]>(
    `SELECT number.* FROM phone_numbers number
     STRAIGHT_JOIN number_carriers assigned ON assigned.phone_number_id = number.id AND assigned.carrier_id = ?
     WHERE number.number = ? AND number.status = 'active' ORDER BY number.id
     ${isPart ? 'FOR UPDATE' : 'LOCK IN SHARE MODE'}`,
    [carrier_id, to_number],
  )
  return rows.map((row) => entityOf(tx, PhoneNumber, row))
}
