/** Which carriers a number has: those that take its messages, in their order, and bring it others. */
import { type EntityManager, In } from 'typeorm'
import { recordChange } from '../../../infrastructure/database/audit.js'
import { type Database, afterCommit } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { ValidationError } from '../../../infrastructure/http/errors.js'
import type { PhoneNumberService } from '../../phone-numbers/phone-number.service.js'
import { Carrier } from './carrier.entity.js'
import { NumberCarrier } from '../../phone-numbers/number-carrier.entity.js'

interface Options {
  database: Database
  phoneNumbers: PhoneNumberService
  /** There is something to submit to a carrier; null: to none. */
  wake: (carrierId: string | null) => void
}

export class NumberCarriers {
  constructor(private readonly options: Options) {}

  /** In their order. @throws 404 unknown number */
  async of(workspace: Owner, numberId: string): Promise<Carrier[]> {
    const { database, phoneNumbers } = this.options
    const { id } = await phoneNumbers.get(workspace, numberId)
    return database
      .platformTable(Carrier)
      .createQueryBuilder('carrier')
      .innerJoin(NumberCarrier, 'assigned', 'assigned.carrier_id = carrier.id')
      .where({})
      .andWhere('assigned.phone_number_id = :id', { id })
      .orderBy('assigned.position')
      .getMany()
  }

  /**
   * Gives a number these carriers and no others; it has the capability `sms` while it has any. Messages that wait for a
   * carrier that it no longer has go to another, or fail if there is none.
   * @throws 400 unknown carrier, 404 unknown number
   */
  async assign(workspace: Owner, numberId: string, ids: readonly string[]): Promise<Carrier[]> {
    const { database, phoneNumbers, wake } = this.options
    return database.transaction(async (tx) => {
      const number = await phoneNumbers.setMessaging(tx, workspace, numberId, ids.length > 0)
      const carriers = await carriersOf(tx, ids)
      const before = await assignedTo(tx, number.id)
      if (before.join() === ids.join()) return carriers
      await tx.delete(NumberCarrier, { phone_number_id: number.id })
      const names = { phone_number_id: number.id, workspace_id: workspace.id }
      if (ids.length > 0) {
        await tx.insert(
          NumberCarrier,
          ids.map((carrier_id, position) => ({ ...names, carrier_id, position })),
        )
      }
      const removed = before.filter((id) => !ids.includes(id))
      await release(tx, number.id, removed)
      await recordChange(tx, {
        workspace_id: workspace.id,
        action: 'phone_number.update',
        target: { type: 'phone_number', id: number.id, name: number.title },
        changes: { carrier_ids: { from: before, to: [...ids] } },
      })
      if (removed.length > 0) afterCommit(tx, () => wake(null))
      return carriers
    })
  }
}

/** In the order of their ids. @throws 400 */
async function carriersOf(tx: EntityManager, ids: readonly string[]): Promise<Carrier[]> {
  if (ids.length === 0) return []
  const where = { id: In([...ids]) }
  // Locked, so that none is deleted meanwhile.
  const found = await tx.find(Carrier, { where, lock: { mode: 'pessimistic_read' } })
  const byId = new Map(found.map((carrier) => [carrier.id, carrier]))
  const problems = ids.flatMap((id, index) => {
    const field = `carrier_ids.${index}`
    return byId.has(id) ? [] : [{ field, messages: [`${field} is not a carrier`] }]
  })
  if (problems.length > 0) throw new ValidationError(problems)
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** In their order. */
async function assignedTo(tx: EntityManager, phone_number_id: string): Promise<string[]> {
  const rows = await tx.find(NumberCarrier, { where: { phone_number_id }, order: { position: 'ASC' } })
  return rows.map(({ carrier_id }) => carrier_id)
}

/**
 * Reroutes messages that wait for carriers that a number no longer has, except those of which a carrier has taken a
 * segment.
 */
async function release(tx: EntityManager, numberId: string, carriers: readonly string[]): Promise<void> {
  if (carriers.length === 0) return
  await tx.query(
    `UPDATE message_queue queued JOIN messages ON messages.id = queued.message_id
     SET queued.carrier_id = NULL
     WHERE queued.carrier_id IN (?) AND queued.state = 'queued' AND messages.phone_number_id = ?
       AND NOT EXISTS (SELECT 1 FROM message_segments WHERE message_segments.message_id = messages.id)`,
    [carriers, numberId],
  )
}
