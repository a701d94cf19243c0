/** The rows of a resource that the operator has: reading, and changes with their entries in the audit log. */
import type { EntityManager, FindOptionsWhere } from 'typeorm'
import { differences, recordChange } from '../database/audit.js'
import type { Database } from '../database/database.js'
import { listPlatformRows } from '../database/platform-list.js'
import { rowsChanged } from '../database/row-changes.js'
import { insertRows, updateRows } from '../database/rows.js'
import { nameOf } from '../database/workspace-table.js'
import { notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'

interface PlatformRow {
  id: string
  created_at: Date
  updated_at: Date
}

interface Described<E extends PlatformRow> {
  readonly table: new () => E
  /** Starts the text of the 404: `Rate deck`. */
  readonly noun: string
  /** The noun of its actions in the audit log: `rate_deck` for `rate_deck.update`. */
  readonly audited: string
  /** Columns that `search` looks at. */
  readonly search: readonly (keyof E & string)[]
  /** Columns whose values the audit log never has. */
  readonly hidden?: readonly (keyof E & string)[]
}

/** @template E the entity */
export abstract class PlatformRows<E extends PlatformRow> {
  constructor(
    protected readonly database: Database,
    private readonly rows: Described<E>,
  ) {}

  async list(request: ListRequest): Promise<Page<E>> {
    return listPlatformRows(this.table(), request, this.rows.search)
  }

  async find(id: string): Promise<E | null> {
    return this.table().findOneBy({ id } as FindOptionsWhere<E>)
  }

  /** @throws 404 */
  async get(id: string): Promise<E> {
    return this.known(id, await this.find(id))
  }

  /** Locks a row until the transaction ends. @throws 404 */
  protected async lock(tx: EntityManager, id: string): Promise<E> {
    const where = { id } as FindOptionsWhere<E>
    return this.known(id, await this.table(tx).findOne({ where, lock: { mode: 'pessimistic_write' } }))
  }

  protected async insert(tx: EntityManager, row: E): Promise<void> {
    await insertRows(tx, this.rows.table, [row])
    await this.record(tx, 'create', null, row)
  }

  /** Changes a row that is locked. @returns it as it is then */
  protected async change(tx: EntityManager, before: E, changes: Partial<E>): Promise<E> {
    const after = { ...before, ...changes, updated_at: new Date() }
    await updateRows(tx, this.rows.table, keyOf(before), after)
    await this.record(tx, 'update', before, after)
    return after
  }

  /** Deletes a row that is locked. */
  protected async remove(tx: EntityManager, row: E): Promise<void> {
    await this.table(tx).delete(row.id)
    await this.record(tx, 'delete', row, null)
  }

  protected table(tx?: EntityManager) {
    return this.database.platformTable(this.rows.table, tx)
  }

  /** @throws 404 when there is none */
  protected known(id: string, row: E | null): E {
    if (!row) throw notFound(`${this.rows.noun} ${id} not found`)
    return row
  }

  private async record(tx: EntityManager, verb: string, before: E | null, after: E | null): Promise<void> {
    const { audited, hidden = [], table } = this.rows
    rowsChanged(tx, tx.dataSource.getMetadata(table).tableName, null)
    const row = after ?? before
    const changes = differences(before && flat(before), after && flat(after), hidden)
    if (!row || (verb === 'update' && Object.keys(changes).length === 0)) return
    const target = { type: audited, id: row.id, name: nameOf(row) }
    await recordChange(tx, { workspace_id: null, action: `${audited}.${verb}`, target, changes })
  }
}

function keyOf<E extends PlatformRow>({ id }: E): Partial<E> {
  const key: Partial<E> = {}
  key.id = id
  return key
}

/** Each setting is a field of its own. */
function flat({ settings, ...columns }: PlatformRow & { settings?: object }): object {
  const fields = Object.entries(settings ?? {}).map(([name, value]) => [`settings.${name}`, value as unknown])
  return { ...columns, ...(Object.fromEntries(fields) as Record<string, unknown>) }
}
