/** Rows that grow old, workspace by workspace, in the order of an index: one statement reads a bounded part of it. */
import type { Database } from '../../infrastructure/database/database.js'
import type { RetentionKind } from '../workspaces/retention-policy.js'

/** Position of a walk through the rows of a workspace. */
export interface Cursor {
  readonly created_at: Date
  readonly id: string
}

/** A kind of rows that have a retention: each step deletes a bounded number of them. */
export interface AgingRows {
  readonly kind: RetentionKind
  /** For people and metrics; most often the table's name. */
  readonly name: string
  /**
   * Deletes some rows of a workspace that are from before a moment, oldest first.
   * @param after where the previous step ended; null for the first
   * @returns where the next step continues; null when nothing is left
   */
  step(workspaceId: string | null, before: Date, after: Cursor | null): Promise<Step>
}

export interface Step {
  readonly next: Cursor | null
  readonly deleted: number
}

interface OldRows {
  table: string
  /** Begins with workspace_id, created_at and id. */
  index: string
  /** Read beside id and created_at. */
  columns?: readonly string[]
  /** What else must hold of the row, for example that it is done. */
  where?: string
  values?: readonly unknown[]
}

const beginning: Cursor = { created_at: new Date(0), id: '' }

/** The statement that finds old rows, and its values: the tests ask the database how it goes about it. */
export function oldRowsQuery(
  { table, index, columns = [], where = '1 = 1', values = [] }: OldRows,
  workspaceId: string | null,
  before: Date,
  after: Cursor | null,
  limit: number,
): [sql: string, values: unknown[]] {
  const { created_at, id } = after ?? beginning
  return [
    `SELECT ${['id', 'created_at', ...columns].join(', ')} FROM ${table} FORCE INDEX (${index})
     WHERE workspace_id <=> ? AND created_at >= ? AND created_at < ?
       AND NOT (created_at = ? AND id <= ?) AND (${where})
     ORDER BY created_at, id LIMIT ?`,
    [workspaceId, created_at, before, created_at, id, ...values, limit],
  ]
}

/** Rows that are deleted by themselves or by a function, a batch a step. */
export class OldRowsWalk implements AgingRows {
  constructor(
    private readonly database: Database,
    readonly kind: RetentionKind,
    private readonly rows: OldRows,
    private readonly batch: number,
    /** @returns how many were deleted */
    private readonly remove: (workspaceId: string | null, ids: readonly string[]) => Promise<number>,
  ) {}

  get name(): string {
    return this.rows.table
  }

  query(
    workspaceId: string | null,
    before: Date,
    after: Cursor | null = null,
  ): [sql: string, values: unknown[]] {
    return oldRowsQuery(this.rows, workspaceId, before, after, this.batch)
  }

  async step(workspaceId: string | null, before: Date, after: Cursor | null): Promise<Step> {
    const found = await this.database.source.query<Cursor[]>(...this.query(workspaceId, before, after))
    const last = found.at(-1)
    if (!last) return { next: null, deleted: 0 }
    const deleted = await this.remove(
      workspaceId,
      found.map(({ id }) => id),
    )
    return { next: found.length < this.batch ? null : last, deleted }
  }
}
