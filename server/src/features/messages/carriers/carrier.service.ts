/** The operator's SMS carriers. */
import type { EntityManager } from 'typeorm'
import { type Database, isReferenced } from '../../../infrastructure/database/database.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { conflict } from '../../../infrastructure/http/errors.js'
import { PlatformRows } from '../../../infrastructure/resources/platform-rows.js'
import { namedUsers, usedBy } from '../../../infrastructure/resources/in-use.js'
import type { CarrierSettings } from './carrier-settings.js'
import { Carrier } from './carrier.entity.js'
import type { CreateCarrier, UpdateCarrier } from './carrier.schema.js'

export class CarrierService extends PlatformRows<Carrier> {
  constructor(
    database: Database,
    private readonly settings: CarrierSettings,
  ) {
    super(database, {
      ...{ table: Carrier, noun: 'Carrier', audited: 'carrier' },
      ...{ search: ['id', 'title'], hidden: ['secrets'] },
    })
  }

  /** @throws 400 naming `settings.…` */
  async create({ settings, ...input }: CreateCarrier): Promise<Carrier> {
    const id = newId('car')
    const now = new Date()
    const columns = this.settings.columnsOf(id, input.kind, settings)
    const carrier: Carrier = { id, ...input, ...columns, created_at: now, updated_at: now }
    await this.database.transaction(async (tx) => this.insert(tx, carrier))
    return carrier
  }

  /** Restarts its link with the new settings. @throws 400, 404 */
  async update(id: string, { settings, ...input }: UpdateCarrier): Promise<Carrier> {
    return this.database.transaction(async (tx) => {
      const before = await this.lock(tx, id)
      const columns = settings && this.settings.columnsOf(id, before.kind, settings, before)
      return this.change(tx, before, { ...input, ...columns })
    })
  }

  /** @throws 404, 409 while numbers use it or messages wait for it */
  async delete(id: string): Promise<Carrier> {
    return this.database.transaction(async (tx) => {
      const carrier = await this.lock(tx, id)
      await refuseInUse(tx, carrier)
      try {
        await this.remove(tx, carrier)
      } catch (error) {
        // A number was given the carrier a moment ago.
        throw isReferenced(error) ? usedBy(`The carrier ${carrier.title}`, ['a number']) : error
      }
      return carrier
    })
  }
}

/** @throws 409 naming what still uses it */
async function refuseInUse(tx: EntityManager, { id, title }: Carrier): Promise<void> {
  const numbers = await tx.query<{ number: string }[]>(
    `SELECT phone_numbers.number FROM number_carriers assigned
     JOIN phone_numbers ON phone_numbers.id = assigned.phone_number_id
     WHERE assigned.carrier_id = ? LIMIT ?`,
    [id, namedUsers + 1],
  )
  if (numbers.length > 0) {
    throw usedBy(
      `The carrier ${title}`,
      numbers.map(({ number }) => `number ${number}`),
    )
  }
  const waiting = await tx.query<unknown[]>('SELECT 1 FROM message_queue WHERE carrier_id = ? LIMIT 1', [id])
  if (waiting.length > 0) throw conflict(`Messages wait for the carrier ${title}`)
}
