/** A workspace's calls: filtered, searched and sorted, a page at a time, or all of them in batches. */
import type { Database } from '../../../infrastructure/database/database.js'
import { containing } from '../../../infrastructure/database/search.js'
import { type Owner, WorkspaceTable } from '../../../infrastructure/database/workspace-table.js'
import { invalidField } from '../../../infrastructure/http/errors.js'
import type { Page } from '../../../infrastructure/http/lists.js'
import { Call } from '../model/call.entity.js'
import type { CallFilter, CallQuery } from '../model/call.schema.js'

/** Calls in one batch, when all are read. */
const batchSize = 1_000

interface Condition {
  sql: string
  values: readonly unknown[]
}

export class CallList {
  private readonly calls: WorkspaceTable<Call>

  constructor(private readonly database: Database) {
    this.calls = new WorkspaceTable(database, Call)
  }

  /** @throws 400 for a time that does not exist */
  async page(workspace: Owner, query: CallQuery): Promise<Page<Call>> {
    const { page, limit, sort_field, sort_order } = query
    const order = `${sort_field} ${sort_order}, id ${sort_order}`
    const [rows, total] = await Promise.all([
      this.some(workspace, conditionsOf(workspace, query), order, limit, (page - 1) * limit),
      this.count(workspace, query),
    ])
    return { rows, total }
  }

  /** How many calls match. @throws 400 for a time that does not exist */
  async count(workspace: Owner, filter: CallFilter): Promise<number> {
    const found = conditionsOf(workspace, filter)
    const [row] = await this.database.source.query<{ total: string }[]>(
      `SELECT COUNT(*) AS total FROM ${found.sql}`,
      [...found.values],
    )
    return Number(row?.total ?? 0)
  }

  /**
   * All of them, newest first, in batches. Each batch begins after the last call of the one before, so that new calls
   * cause no repetitions.
   */
  async *all(workspace: Owner, filter: CallFilter): AsyncGenerator<readonly Call[]> {
    const found = conditionsOf(workspace, filter)
    let after: Condition = { sql: '', values: [] }
    for (;;) {
      const from = { sql: `${found.sql}${after.sql}`, values: [...found.values, ...after.values] }
      const calls = await this.some(workspace, from, 'created_at desc, id desc', batchSize, 0)
      if (calls.length > 0) yield calls
      const last = calls.at(-1)
      if (!last || calls.length < batchSize) return
      after = olderThan(last)
    }
  }

  /** The ids come from a covering index; only the rows of the page are read. */
  private async some(
    workspace: Owner,
    { sql, values }: Condition,
    order: string,
    limit: number,
    offset: number,
  ): Promise<Call[]> {
    const ids = await this.database.source.query<{ id: string }[]>(
      `SELECT id FROM ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
      [...values, limit, offset],
    )
    const calls = await this.calls.findMany(
      workspace,
      ids.map(({ id }) => id),
    )
    const byId = new Map(calls.map((call) => [call.id, call]))
    return ids.flatMap(({ id }) => byId.get(id) ?? [])
  }
}

/** Table, index and conditions, to follow FROM. */
function conditionsOf(workspace: Owner, filter: CallFilter): Condition {
  const { status, direction, agent_id, from, to_date, search } = filter
  // Live calls are few; without the hint the database would scan all calls in the order of their times.
  const index = status === 'live' && !agent_id ? ' FORCE INDEX (calls_live_of_workspace)' : ''
  const conditions: Condition[] = [{ sql: 'workspace_id = ?', values: [workspace.id] }]
  if (status === 'live') conditions.push({ sql: 'live = 1', values: [] })
  else if (status) conditions.push({ sql: 'status = ?', values: [status] })
  if (direction) conditions.push({ sql: 'direction = ?', values: [direction] })
  if (agent_id) {
    const theirs = 'SELECT call_id FROM call_legs WHERE workspace_id = ? AND agent_id = ?'
    conditions.push({ sql: `id IN (${theirs})`, values: [workspace.id, agent_id] })
  }
  if (from) conditions.push({ sql: 'created_at >= ?', values: [timeOf('from', from)] })
  if (to_date) conditions.push({ sql: 'created_at <= ?', values: [timeOf('to_date', to_date)] })
  if (search) {
    // Numbers are found however they are written; a text without any character of a number finds nothing.
    const number = search.replace(/[^0-9A-Za-z.:_@-]/g, '') || search
    const found = [containing('from_number', number), containing('to_number', number)]
    conditions.push({
      sql: `(${found.map(({ sql }) => sql).join(' OR ')})`,
      values: found.flatMap(({ values }) => values),
    })
  }
  return {
    sql: `calls${index} WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
    values: conditions.flatMap(({ values }) => values),
  }
}

/** The first condition lets the database begin in the middle of the index. */
function olderThan({ created_at, id }: Call): Condition {
  return {
    sql: ' AND created_at <= ? AND NOT (created_at = ? AND id >= ?)',
    values: [created_at, created_at, id],
  }
}

/** Leap seconds are valid ISO 8601, but a Date cannot hold them. */
function timeOf(field: string, text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw invalidField(field, `${field} must be a time`)
  return time
}
