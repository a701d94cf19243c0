/** Lists of conversations: sorted, filtered and counted in their indexes, so that only what is shown is read. */
import { numbersNamed } from '../contacts/contact-names.js'
import type { Database } from '../../infrastructure/database/database.js'
import { pageOfRows } from '../../infrastructure/database/paged.js'
import { entityOf } from '../../infrastructure/database/rows.js'
import { containing } from '../../infrastructure/database/search.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { AgentActor } from '../../infrastructure/http/endpoint.js'
import type { Page } from '../../infrastructure/http/lists.js'
import { type Condition, seenBy } from './conversation-scope.js'
import { Conversation } from './conversation.entity.js'
import type { ConversationQuery } from './conversation.schema.js'

export class ConversationList {
  constructor(private readonly database: Database) {}

  /** Conversations that an agent may see and that match the filters, by their latest message. */
  async page(workspace: Owner, agent: AgentActor, query: ConversationQuery): Promise<Page<Conversation>> {
    const { source } = this.database
    const conditions = [
      { sql: 'conversation.workspace_id = ?', values: [workspace.id] },
      seenBy(workspace, agent),
      ...filters(agent, query),
      ...searching(workspace, query.search?.trim() ?? ''),
    ]
    const from = `conversations conversation FORCE INDEX (${indexFor(query)})
      WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`
    const values = conditions.flatMap((condition) => condition.values)
    const { rows, total } = await pageOfRows(
      query,
      async ({ limit, offset, isBackward }) => {
        const order = isBackward ? 'ASC' : 'DESC'
        return source.query<Record<string, unknown>[]>(
          `SELECT found.* FROM (
             SELECT conversation.id FROM ${from}
             ORDER BY conversation.last_message_at ${order}, conversation.id ${order} LIMIT ? OFFSET ?
           ) page JOIN conversations found ON found.id = page.id
           ORDER BY found.last_message_at ${order}, found.id ${order}`,
          [...values, limit, offset],
        )
      },
      async () => this.count(from, values),
    )
    return { rows: rows.map((row) => entityOf(source.manager, Conversation, row)), total }
  }

  private async count(from: string, values: readonly unknown[]): Promise<number> {
    const [row] = await this.database.source.query<{ total: string }[]>(
      `SELECT COUNT(*) AS total FROM ${from}`,
      [...values],
    )
    return Number(row?.total ?? 0)
  }
}

function filters(agent: AgentActor, query: ConversationQuery): Condition[] {
  const { status, phone_number_id, assigned_team_id } = query
  const columns = { status, phone_number_id, assigned_team_id, assigned_agent_id: assigneeOf(agent, query) }
  const equal = Object.entries(columns).flatMap(([column, value]) =>
    value === undefined ? [] : [{ sql: `conversation.${column} <=> ?`, values: [value] }],
  )
  return query.unread_only ? [...equal, { sql: 'conversation.unread_count > 0', values: [] }] : equal
}

/** @returns an agent's id; null: unassigned; undefined: any */
function assigneeOf(agent: AgentActor, query: ConversationQuery): string | null | undefined {
  const asked = query.assigned_agent_id ?? query.assigned_to
  if (asked === 'me') return agent.id
  return asked === 'unassigned' ? null : asked
}

/** A number is found however it is written. */
function searching(workspace: Owner, text: string): Condition[] {
  if (text === '') return []
  const named = numbersNamed(workspace, text)
  const digits = text.replace(/[ ().+-]/g, '')
  const matches = [
    { sql: `conversation.client_number IN (${named.sql})`, values: named.values },
    ...(/^\d+$/.test(digits)
      ? [withDigits('client_number', digits), withDigits('system_number', digits)]
      : [containing('conversation.client_number', text)]),
  ]
  return [
    {
      sql: `(${matches.map(({ sql }) => sql).join(' OR ')})`,
      values: matches.flatMap(({ values }) => values),
    },
  ]
}

/** Compared as the bytes that both are: a collation takes ten times the time. */
function withDigits(column: 'client_number' | 'system_number', digits: string): Condition {
  return { sql: `conversation.${column} LIKE CONVERT(? USING ascii)`, values: [`%${digits}%`] }
}

/** The index that leaves the least to be read, in the list's order. */
function indexFor({ status, assigned_agent_id, assigned_to, assigned_team_id, search }: ConversationQuery) {
  const assignee = assigned_agent_id ?? assigned_to
  if (assignee !== undefined && assignee !== 'unassigned') return 'conversations_by_agent'
  if (assigned_team_id !== undefined) return 'conversations_by_team'
  return status !== undefined && !search ? 'conversations_by_status' : 'conversations_by_activity'
}
