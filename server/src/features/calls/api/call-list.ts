/** A workspace's calls: filtered, searched and sorted, a page at a time, or all of them in batches. */
import type { Database } from '../../../infrastructure/database/database.js'
import { growingTotal } from '../../../infrastructure/database/growing-totals.js'
import { type Span, directionOf, pageOfRows } from '../../../infrastructure/database/paged.js'
import { inSearchText } from '../../../infrastructure/database/search-text.js'
import { type Owner, WorkspaceTable } from '../../../infrastructure/database/workspace-table.js'
import { invalidField } from '../../../infrastructure/http/errors.js'
import type { Page } from '../../../infrastructure/http/lists.js'
import { Call } from '../model/call.entity.js'
import { ContactNames } from '../../contacts/contact-names.js'
import type { CallFilter, CallQuery } from '../model/call.schema.js'

/** Calls in one batch, when all are read. */
const batchSize = 1_000

/** `in_history_of`: a team, whose agents were in the calls or were to take them. */
type Filter = CallFilter & { in_history_of?: string }

type Listed = Filter &
  Pick<CallQuery, 'page' | 'limit'> &
  Partial<Pick<CallQuery, 'sort_field' | 'sort_order'>>

export interface Condition {
  sql: string
  values: readonly unknown[]
}

export class CallList {
  private readonly calls: WorkspaceTable<Call>

  constructor(private readonly database: Database) {
    this.calls = new WorkspaceTable(database, Call)
  }

  /** @throws 400 for a time that does not exist */
  async page(workspace: Owner, query: Listed): Promise<Page<Call>> {
    const { sort_field = 'created_at', sort_order = 'desc' } = query
    const found = await conditionsOf(this.database, workspace, query)
    return pageOfRows(
      query,
      async (span) => {
        const direction = directionOf(sort_order, span)
        return this.some(workspace, found, `${sort_field} ${direction}, id ${direction}`, span)
      },
      async () => (isWhole(query) ? growingTotal(this.database, 'calls', workspace.id) : this.counted(found)),
    )
  }

  /** How many calls match. @throws 400 for a time that does not exist */
  async count(workspace: Owner, filter: Filter): Promise<number> {
    return this.counted(await conditionsOf(this.database, workspace, filter))
  }

  private async counted(found: Condition): Promise<number> {
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
    const found = await conditionsOf(this.database, workspace, filter)
    let after: Condition = { sql: '', values: [] }
    for (;;) {
      const from = { sql: `${found.sql}${after.sql}`, values: [...found.values, ...after.values] }
      const span = { limit: batchSize, offset: 0 }
      const calls = await this.some(workspace, from, 'created_at desc, id desc', span)
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
    { limit, offset }: Pick<Span, 'limit' | 'offset'>,
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

/** Whether nothing is left out. */
function isWhole(query: Listed): boolean {
  const filter = { ...query, page: undefined, limit: undefined, sort_field: undefined, sort_order: undefined }
  return Object.values(filter).every((value) => value === undefined)
}

/** Table, index and conditions, to follow FROM. */
async function conditionsOf(database: Database, workspace: Owner, filter: Filter): Promise<Condition> {
  const { status, direction, agent_id, from, to_date, search } = filter
  const { outcome, team_id, phone_number_id, call_flow_id } = filter
  const index = indexFor(filter)
  const conditions: Condition[] = [{ sql: 'workspace_id = ?', values: [workspace.id] }]
  if (status === 'live') conditions.push({ sql: 'live = 1', values: [] })
  else if (status) conditions.push({ sql: 'status = ?', values: [status] })
  if (direction) conditions.push({ sql: 'direction = ?', values: [direction] })
  if (agent_id) {
    const took = 'SELECT call_id FROM call_legs WHERE workspace_id = ? AND agent_id = ?'
    const rung = 'SELECT call_id FROM call_offers WHERE workspace_id = ? AND agent_id = ?'
    conditions.push({
      sql: `id IN (${took} UNION ${rung})`,
      values: [workspace.id, agent_id, workspace.id, agent_id],
    })
  }
  if (outcome === 'unanswered')
    conditions.push({ sql: "outcome IN ('abandoned', 'missed', 'voicemail')", values: [] })
  else if (outcome) conditions.push({ sql: 'outcome = ?', values: [outcome] })
  for (const [column, value] of Object.entries({ team_id, phone_number_id, call_flow_id })) {
    if (value) conditions.push({ sql: `${column} = ?`, values: [value] })
  }
  if (filter.in_history_of !== undefined) {
    const theirs = 'SELECT call_id FROM team_calls WHERE workspace_id = ? AND team_id = ?'
    conditions.push({ sql: `id IN (${theirs})`, values: [workspace.id, filter.in_history_of] })
  }
  if (from) conditions.push({ sql: 'created_at >= ?', values: [timeOf('from', from)] })
  if (to_date) conditions.push({ sql: 'created_at <= ?', values: [timeOf('to_date', to_date)] })
  if (search) {
    conditions.push(await searched(database, workspace, search))
  }
  return {
    sql: `calls${index} WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
    values: conditions.flatMap(({ values }) => values),
  }
}

/** Live calls are few: without the hint the database would scan all calls in the order of their times. */
function indexFor(filter: Filter): string {
  const { status, agent_id, search, direction, outcome, team_id, phone_number_id, call_flow_id } = filter
  if (status === 'live' && !agent_id) return ' FORCE INDEX (calls_live_of_workspace)'
  const byOthers = [status, agent_id, direction, outcome, team_id, phone_number_id, call_flow_id]
  const isByText = search && ![...byOthers, filter.in_history_of].some(Boolean)
  return isByText ? ' FORCE INDEX (calls_search)' : ''
}

/** Numbers of contacts that a search by their name looks for among the calls. */
const mostNamed = 5_000

/** Numbers are found however they are written; names as the call has them, and by the contacts of today. */
export async function searched(database: Database, workspace: Owner, search: string): Promise<Condition> {
  const isNumber = /^[\d\s()+./-]*\d[\d\s()+./-]*$/.test(search)
  const number = search.replace(isNumber ? /\D/g : /[^0-9A-Za-z.:_@-]/g, '') || search
  const calls = { table: 'calls', row: 'calls' }
  const found: Condition[] = [
    inSearchText(Call.searchText, calls, search),
    ...(number === search ? [] : [inSearchText(Call.searchText, { ...calls, parts: 2 }, number)]),
  ]
  const named = isNumber ? [] : await new ContactNames(database).numbersNamed(workspace, search, mostNamed)
  if (named.length > 0) {
    const values = [named.map((digits) => `+${digits}`)]
    for (const column of ['from_number', 'to_number']) found.push({ sql: `calls.${column} IN (?)`, values })
  }
  return {
    sql: `(${found.map(({ sql }) => sql).join(' OR ')})`,
    values: found.flatMap(({ values }) => values),
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
