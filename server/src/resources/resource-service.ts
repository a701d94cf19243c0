/** What can be done with the rows of a resource that workspaces have. Resources add what is theirs in a subclass. */
import type { EntityManager, FindOptionsWhere } from 'typeorm'
import { type Database, isDuplicate, isMissingReference } from '../database/database.js'
import { newId } from '../database/ids.js'
import { type Owner, type WorkspaceRow, WorkspaceTable, nameOf } from '../database/workspace-table.js'
import { type ApiError, conflict, notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import type { InUse } from '../workspaces/in-use.js'
import { checkLimit } from '../workspaces/limits.js'
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
}

/** Done once a change is committed, before it is answered. */
export type Afterwards = (() => Promise<void>) | undefined

/** @template E the entity, @template C what creates a row, @template U what changes one */
export abstract class ResourceService<E extends ResourceRow, C, U> {
  protected readonly table: WorkspaceTable<E>
  protected readonly database: Database

  constructor(
    private readonly rows: Rows<E> & Pick<ResourceTexts, 'noun' | 'plural'>,
    private readonly parts: ResourceParts,
  ) {
    this.database = parts.database
    const { noun, table, hidden, fields } = rows
    const audited = noun.toLowerCase().replaceAll(' ', '_')
    this.table = new WorkspaceTable(parts.database, table, { audited, hidden, fields })
  }

  /** A new row. @param base its id, workspace and times @throws 400 */
  protected abstract rowOf(base: ResourceRow, input: C): E

  /** The columns that a change sets; `updated_at` is set besides. @throws 400 */
  protected abstract changesOf(input: U, row: E): Partial<E>

  /** Runs in the transaction that writes a row. @param before null for a new one */
  protected async written(_tx: EntityManager, _row: E, _before: E | null): Promise<Afterwards> {
    return undefined
  }

  /** Runs in the transaction that deletes a row, which it has locked, before the row goes. */
  protected async deleting(_tx: EntityManager, _row: E): Promise<Afterwards> {
    return undefined
  }

  protected unknown(id: string): ApiError {
    return notFound(`${capitalized(this.rows.noun)} ${id} not found`)
  }

  /** @param where what else must hold */
  async list(
    workspace: Owner,
    request: PageRequest & Partial<ListRequest>,
    where: FindOptionsWhere<E> = {},
  ): Promise<Page<E>> {
    const { search: searched = [], order = newestFirst } = this.rows
    return this.table.list(workspace, { ...order, ...request, searched, where })
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

  /** @throws 400, 403 at the limit, 409 when it is taken */
  async create(workspace: Owner, input: C): Promise<E> {
    const now = new Date()
    const base = { id: newId(this.rows.id), workspace_id: workspace.id, created_at: now, updated_at: now }
    const row = this.rowOf(base, input)
    const { max } = this.parts
    return this.writing(row, async (tx) => {
      await checkLimit(tx, this.table, workspace, { max, what: pluralOf(this.rows) })
      await this.table.in(tx).insert(row)
      return { row, afterwards: await this.written(tx, row, null) }
    })
  }

  /** Changes that race are made one after the other. @throws 400, 404, 409 when it is taken */
  async update(workspace: Owner, id: string, input: U): Promise<E> {
    let changed: E | undefined
    return this.writing(
      () => changed,
      async (tx) => {
        const table = this.table.in(tx)
        const before = await table.lock(workspace, id)
        if (!before) throw this.unknown(id)
        const changes = { ...this.changesOf(input, before), updated_at: new Date() }
        const row: E = (changed = { ...before, ...changes })
        await table.update(workspace, id, changes)
        return { row, afterwards: await this.written(tx, row, before) }
      },
    )
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

  private async remove(workspace: Owner, id: string): Promise<void> {
    const afterwards = await this.database.transaction(async (tx) => {
      const row = await this.table.in(tx).lock(workspace, id)
      if (!row) return undefined
      const work = await this.deleting(tx, row)
      await this.table.in(tx).delete(workspace, id)
      return work
    })
    await afterwards?.()
  }

  private async writing(
    rowOf: E | (() => E | undefined),
    work: (tx: EntityManager) => Promise<{ row: E; afterwards: Afterwards }>,
  ): Promise<E> {
    try {
      const { row, afterwards } = await this.database.transaction(work)
      await afterwards?.()
      return row
    } catch (error) {
      const row = typeof rowOf === 'function' ? rowOf() : rowOf
      throw (row && this.refusal(error, row)) ?? error
    }
  }

  /** What the constraints of the table mean. */
  private refusal(error: unknown, row: E): Error | undefined {
    const { taken, missing } = this.rows
    if (taken && isDuplicate(error)) return conflict(taken(row))
    return missing && isMissingReference(error) ? missing(row) : undefined
  }
}

const newestFirst = { sort_field: 'created_at', sort_order: 'desc' } as const

function capitalized(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1)
}
