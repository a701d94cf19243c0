/** Which agents with a stream may see a conversation. */
import type { Database } from '../../infrastructure/database/database.js'
import { seenByAgent } from './conversation-scope.js'
import type { Conversation } from './conversation.entity.js'

/** The fields that decide who may see a conversation. */
type Scope = Pick<Conversation, 'phone_number_id' | 'assigned_agent_id' | 'assigned_team_id'>

/**
 * Finds the agents who may see each of some conversations of one workspace, with one query for all.
 * @param agents ids of the agents to check
 * @returns a function that returns the ids of the agents who may see a conversation
 */
export async function audienceOf(
  database: Database,
  conversations: readonly Conversation[],
  agents: readonly string[],
): Promise<(conversation: Scope) => readonly string[]> {
  if (conversations.length === 0 || agents.length === 0) return () => []
  const rows = await database.source.query<(Scope & { agent_id: string })[]>(
    `SELECT conversation.phone_number_id, conversation.assigned_agent_id, conversation.assigned_team_id,
       agent.id AS agent_id
     FROM (
       SELECT DISTINCT workspace_id, phone_number_id, assigned_agent_id, assigned_team_id
       FROM conversations WHERE id IN (?)
     ) conversation
     JOIN agents agent ON agent.workspace_id = conversation.workspace_id
     WHERE agent.id IN (?) AND agent.is_active = 1 AND ${seenByAgent}`,
    [conversations.map(({ id }) => id), agents],
  )
  const byScope = new Map<string, string[]>()
  for (const { agent_id, ...scope } of rows) {
    const key = keyOf(scope)
    byScope.set(key, [...(byScope.get(key) ?? []), agent_id])
  }
  return (conversation) => byScope.get(keyOf(conversation)) ?? []
}

function keyOf({ phone_number_id, assigned_agent_id, assigned_team_id }: Scope): string {
  return [phone_number_id, assigned_agent_id, assigned_team_id].join(' ')
}
