/** The operator's SMS carriers. */
import type { EntityManager } from 'typeorm'
import type { FieldChange } from '../../database/audit-entry.entity.js'
import { differences, recordChange } from '../../database/audit.js'
import { type Database, isReferenced } from '../../database/database.js'
import { newId } from '../../database/ids.js'
import { listPlatformRows } from '../../database/platform-list.js'
import { conflict, notFound } from '../../http/errors.js'
import type { ListRequest, Page } from '../../http/lists.js'
import { namedUsers, usedBy } from '../../workspaces/in-use.js'
import type { CarrierSettings } from './carrier-settings.js'
import { Carrier } from './carrier.entity.js'
import type { CreateCarrier, UpdateCarrier } from './carrier.schema.js'

export class CarrierService {
  constructor(
    private readonly database: Database,
    private readonly settings: CarrierSettings,
  ) {}

  async list(request: ListRequest): Promise<Page<Carrier>> {
    return listPlatformRows(this.table, request, ['id', 'title'])
  }

  async find(id: string): Promise<Carrier | null> {
    return this.table.findOneBy({ id })
  }

  /** @throws 404 */
  async get(id: string): Promise<Carrier> {
    return known(id, await this.find(id))
  }

  /** @throws 400 naming `settings.…` */
  async create({ settings, ...input }: CreateCarrier): Promise<Carrier> {
    const id = newId('car')
    const now = new Date()
    const columns = this.settings.columnsOf(id, input.kind, settings)
    const carrier: Carrier = { id, ...input, ...columns, created_at: now, updated_at: now }
    await this.database.transaction(async (tx) => {
      await tx.insert(Carrier, carrier as never)
      await record(tx, 'create', carrier, changed(null, carrier))
    })
    return carrier
  }

  /** Restarts its link with the new settings. @throws 400, 404 */
  async update(id: string, { settings, ...input }: UpdateCarrier): Promise<Carrier> {
    return this.database.transaction(async (tx) => {
      const before = await this.lock(tx, id)
      const columns = settings && this.settings.columnsOf(id, before.kind, settings, before)
      const after = { ...before, ...input, ...columns, updated_at: new Date() }
      await tx.update(Carrier, id, after as never)
      await record(tx, 'update', after, changed(before, after))
      return after
    })
  }

  /** @throws 404, 409 while numbers use it or messages wait for it */
  async delete(id: string): Promise<Carrier> {
    return this.database.transaction(async (tx) => {
      const carrier = await this.lock(tx, id)
      await refuseInUse(tx, carrier)
      try {
        await tx.delete(Carrier, id)
      } catch (error) {
        // A number was given the carrier a moment ago.
        throw isReferenced(error) ? usedBy(`The carrier ${carrier.title}`, ['a number']) : error
      }
      await record(tx, 'delete', carrier, changed(carrier, null))
      return carrier
    })
  }

  private async lock(tx: EntityManager, id: string): Promise<Carrier> {
    return known(id, await tx.findOne(Carrier, { where: { id }, lock: { mode: 'pessimistic_write' } }))
  }

  private get table() {
    return this.database.platformTable(Carrier)
  }
}

/** @throws 404 */
function known(id: string, carrier: Carrier | null): Carrier {
  if (!carrier) throw notFound(`Carrier ${id} not found`)
  return carrier
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

/** The state after a change, or the last one of what is deleted, names it. */
async function record(
  tx: EntityManager,
  verb: 'create' | 'update' | 'delete',
  { id, title }: Carrier,
  changes: Record<string, FieldChange>,
): Promise<void> {
  if (verb === 'update' && Object.keys(changes).length === 0) return
  const target = { type: 'carrier', id, name: title }
  await recordChange(tx, { workspace_id: null, action: `carrier.${verb}`, target, changes })
}

/** Each setting is a field of its own. */
function changed(before: Carrier | null, after: Carrier | null): Record<string, FieldChange> {
  return differences(before && flat(before), after && flat(after), ['secrets'])
}

function flat({ settings, ...carrier }: Carrier): object {
  const fields = Object.entries(settings).map(([name, value]) => [`settings.${name}`, value] as const)
  return { ...carrier, ...Object.fromEntries(fields) }
}
