/** What can be done with a resource that workspaces have; resources add what is theirs in a subclass. */
import type { EntityManager } from 'typeorm'
import { isDuplicate, isMissingReference } from '../database/database.js'
import { newId } from '../database/ids.js'
import type { Owner } from '../database/workspace-table.js'
import { conflict } from '../http/errors.js'
import { type Afterwards, type ResourceRow, ResourceRows } from './resource-rows.js'

export type { Afterwards, ResourceRow }

/** @template E the entity, @template C what creates a row, @template U what changes one */
export abstract class ResourceService<E extends ResourceRow, C, U> extends ResourceRows<E> {
  /** A new row. @param base its id, workspace and times @throws 400 */
  protected abstract rowOf(base: ResourceRow, input: C): E

  /** The columns that a change sets; `updated_at` is set besides. @throws 400 */
  protected abstract changesOf(input: U, row: E): Partial<E>

  /** Runs in the transaction that writes a row. @param before null for a new one */
  protected async written(_tx: EntityManager, _row: E, _before: E | null): Promise<Afterwards> {
    return undefined
  }

  /** @throws 400, 403 at the limit, 409 when it is taken */
  async create(workspace: Owner, input: C): Promise<E> {
    const now = new Date()
    const base = { id: newId(this.rows.id), workspace_id: workspace.id, created_at: now, updated_at: now }
    const row = this.rowOf(base, input)
    return this.writing(async (tx, about) => {
      about(row)
      await this.table.in(tx).insert(row)
      const afterwards = await this.written(tx, row, null)
      await this.checkLimit(tx, workspace)
      return { row, afterwards }
    })
  }

  /** Changes that race are made one after the other. @throws 400, 404, 409 when it is taken */
  async update(workspace: Owner, id: string, input: U): Promise<E> {
    return this.writing(async (tx, about) => {
      const table = this.table.in(tx)
      const before = await table.lock(workspace, id)
      if (!before) throw this.unknown(id)
      const changes = { ...this.changesOf(input, before), updated_at: new Date() }
      const row = { ...before, ...changes }
      about(row)
      await table.update(workspace, id, changes)
      return { row, afterwards: await this.written(tx, row, before) }
    })
  }

  /** @param work calls `about` with the row before it writes: errors of the database are about that */
  private async writing(
    work: (tx: EntityManager, about: (row: E) => void) => Promise<{ row: E; afterwards: Afterwards }>,
  ): Promise<E> {
    let written: E | undefined
    try {
      const { row, afterwards } = await this.database.transaction(async (tx) =>
        work(tx, (each) => {
          written = each
        }),
      )
      if (afterwards) await this.database.follow(afterwards)
      return row
    } catch (error) {
      throw (written && this.refusal(error, written)) ?? error
    }
  }

  /** What it means that the row breaks a constraint of the table. */
  private refusal(error: unknown, row: E): Error | undefined {
    const { taken, missing } = this.rows
    if (taken && isDuplicate(error)) return conflict(taken(row))
    return missing && isMissingReference(error) ? missing(row) : undefined
  }
}
