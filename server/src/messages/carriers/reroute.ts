/** Messages that wait for a carrier which they can no longer go to are given to another one of their number. */
import type { EntityManager } from 'typeorm'

/** What waits for carriers that a number no longer has. @param to null: the number has none */
export async function rerouteNumber(
  tx: EntityManager,
  numberId: string,
  from: readonly string[],
  to: string | null,
): Promise<void> {
  if (from.length === 0) return
  await tx.query(
    `UPDATE message_queue queued JOIN messages ON messages.id = queued.message_id
     SET queued.carrier_id = ?
     WHERE queued.carrier_id IN (?) AND queued.state = 'queued' AND messages.phone_number_id = ?`,
    [to, from, numberId],
  )
}

/** What waits for a carrier that is no longer active; it goes on waiting where its number has no active one. */
export async function rerouteCarrier(tx: EntityManager, carrierId: string): Promise<void> {
  await tx.query(
    `UPDATE message_queue queued JOIN messages ON messages.id = queued.message_id
     SET queued.carrier_id = COALESCE((
       SELECT carriers.id FROM number_carriers assigned
       JOIN carriers ON carriers.id = assigned.carrier_id AND carriers.is_active = 1
       WHERE assigned.phone_number_id = messages.phone_number_id
       ORDER BY assigned.position LIMIT 1), queued.carrier_id)
     WHERE queued.carrier_id = ? AND queued.state = 'queued'`,
    [carrierId],
  )
}
