/** The rows of a resource that workspaces have: reading and deleting them. */
import type { EntityManager, FindOptionsWhere } from 'typeorm'
import type { Database } from '../database/database.js'
import { type Owner, type WorkspaceRow, WorkspaceTable, nameOf } from '../database/workspace-table.js'
import { type ApiError, notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import type { KeptValues } from '../../lib/kept-values.js'
import type { InUse } from './in-use.js'
import { checkLimit, freePlace } from './limits.js'
import { type PageRequest, type ResourceTexts, pluralOf } from './resource-endpoints.js'
import type { Rows } from './resource.js'

/** What every row of a resource has. */
export interface ResourceRow extends WorkspaceRow {
  created_at: Date
  updated_at: Date
}

export interface ResourceParts {
  readonly database: Database
  /** Rows that a workspace may hold. */
  readonly max: number
  /** Knows the users of what is `guarded`. */
  readonly inUse?: InUse
  /** Keeps how many rows a workspace has, where the table is one that is kept. */
  readonly kept?: Pick<KeptValues, 'get'>
}

/** Done once a change is committed, before it is answered. */
export type Afterwards = (() => Promise<void>) | undefined

const newestFirst = { sort_field: 'created_at', sort_order: 'desc' } as const

/** @template E the entity */
export abstract class ResourceRows<E extends ResourceRow> {
  protected readonly table: WorkspaceTable<E>
  protected readonly database: Database

  constructor(
    protected readonly rows: Rows<E> & Pick<ResourceTexts, 'noun' | 'plural'>,
    private readonly parts: ResourceParts,
  ) {
    this.database = parts.database
    const { noun, table, hidden, fields } = rows
    const audited = noun.toLowerCase().replaceAll(' ', '_')
    this.table = new WorkspaceTable(parts.database, table, { audited, hidden, fields })
  }

  /** Runs in the transaction that deletes a row, which it has locked, before the row goes. */
  protected async deleting(_tx: EntityManager, _row: E): Promise<Afterwards> {
    return undefined
  }

  /** The 404. */
  protected unknown(id: string): ApiError {
    return notFound(`${capitalized(this.rows.noun)} ${id} not found`)
  }

  /** Lets a transaction that has inserted a row go on only within the limit. @throws 403 */
  protected async checkLimit(tx: EntityManager, workspace: Owner): Promise<void> {
    await checkLimit(tx, this.table, workspace, { max: this.parts.max, what: pluralOf(this.rows) })
  }

  /** Deletes a row that the transaction has locked. */
  protected async deleteRow(tx: EntityManager, workspace: Owner, id: string): Promise<void> {
    await this.table.in(tx).delete(workspace, id)
    await freePlace(tx, this.table.name, workspace)
  }

  /** How many rows more the workspace may hold. */
  async room(workspace: Owner): Promise<number> {
    return Math.max(0, this.parts.max - (await this.table.count(workspace)))
  }

  /** Ids of the rows that have one of these values in a column, by value. */
  async idsBy(
    workspace: Owner,
    column: keyof E & string,
    values: readonly string[],
  ): Promise<Map<string, string>> {
    return this.table.idsBy(workspace, column, values)
  }

  /** @param where what else must hold */
  async list(
    workspace: Owner,
    request: PageRequest & Partial<ListRequest>,
    where: FindOptionsWhere<E> = {},
  ): Promise<Page<E>> {
    const { search: searched = [], order = newestFirst } = this.rows
    const { kept } = this.parts
    const isWhole = !request.search && Object.keys(where).length === 0
    const total = isWhole && kept && (async () => this.keptTotal(workspace, kept))
    return this.table.list(workspace, { ...order, ...request, searched, where, ...(total && { total }) })
  }

  async find(workspace: Owner, id: string): Promise<E | null> {
    return this.table.find(workspace, id)
  }

  /** Those of the ids that are rows of the workspace. */
  async findMany(workspace: Owner, ids: readonly string[]): Promise<E[]> {
    return this.table.findMany(workspace, ids)
  }

  /** @throws 404 */
  async get(workspace: Owner, id: string): Promise<E> {
    const row = await this.table.find(workspace, id)
    if (!row) throw this.unknown(id)
    return row
  }

  /** @throws 404, 409 in use where that prevents it */
  async delete(workspace: Owner, id: string): Promise<E> {
    const row = await this.get(workspace, id)
    const remove = async () => this.remove(workspace, id)
    const { inUse } = this.parts
    const { guarded, noun } = this.rows
    if (inUse && guarded) await inUse.delete(guarded, workspace, id, `The ${noun} ${nameOf(row)}`, remove)
    else await remove()
    return row
  }

  /** Deletes all rows of a workspace that is being deleted. */
  async deleteAll(tx: EntityManager, workspace: Owner): Promise<void> {
    await this.table.in(tx).deleteAll(workspace)
  }

  private async keptTotal(workspace: Owner, kept: Pick<KeptValues, 'get'>): Promise<number> {
    return kept.get(workspace.id, `rows of ${this.table.name}`, async () => this.table.count(workspace))
  }

  private async remove(workspace: Owner, id: string): Promise<void> {
    const afterwards = await this.database.transaction(async (tx) => {
      const row = await this.table.in(tx).lock(workspace, id)
      if (!row) return undefined
      const work = await this.deleting(tx, row)
      await this.deleteRow(tx, workspace, id)
      return work
    })
    if (afterwards) await this.database.follow(afterwards)
  }
}

function capitalized(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1)
}
