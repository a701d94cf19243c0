/** Conversations, made by the agents of a workspace or put into the tables. */
import { newId } from '../../src/infrastructure/database/ids.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { type Person, personOf, succeed } from './fixtures.js'
import { newTextingNumber } from './message-fixtures.js'

let lastClient = 3_000

/** A client's number that no test has used. */
export function newClient(): string {
  lastClient += 1
  return `+1202555${lastClient}`
}

/** A conversation as the API shows it. */
export interface ShownConversation {
  id: string
  client_number: string
  assigned_agent_id: string | null
  last_message: { id: string } | null
}

/** Has an agent write to a client, who is a new one by default. */
export async function startConversation(
  { api }: Pick<Person, 'api'>,
  from: string,
  changes: object = {},
): Promise<{ conversation: ShownConversation; message: { id: string; created_at: string } }> {
  const input = { from, client_number: newClient(), body: 'Hello', ...changes }
  return succeed(api.post('/call-center/conversations', input))
}

/** A conversation of the workspace's supervisor. */
export async function newConversation(workspace: TestWorkspace): Promise<string> {
  const { number } = await newTextingNumber(workspace.appliance, workspace)
  return (await startConversation(await personOf(workspace, 'supervisor'), number)).conversation.id
}

/** Puts inbound messages into a conversation, as they are kept: one a second after those that it has. */
export async function insertReceived(
  appliance: Appliance,
  conversationId: string,
  count: number,
): Promise<void> {
  const prefix = newId('msg').slice(0, 20)
  await query(
    appliance,
    `INSERT INTO messages (id, workspace_id, conversation_id, position, phone_number_id, system_number, client_number,
       direction, status, sender_type, body, encoding, segments, created_at, updated_at)
     SELECT CONCAT(?, LPAD(seq, 10, '0')), workspace_id, id, message_count + seq, phone_number_id, system_number,
       client_number, 'inbound', 'received', 'client', CONCAT('Text ', seq), 'gsm7', 1,
       TIMESTAMPADD(SECOND, seq, last_message_at), TIMESTAMPADD(SECOND, seq, last_message_at)
     FROM conversations JOIN seq_1_to_${count} WHERE id = ?`,
    [prefix, conversationId],
  )
  await query(
    appliance,
    `UPDATE conversations conversation JOIN messages latest
       ON latest.conversation_id = conversation.id AND latest.position = conversation.message_count + ?
     SET conversation.message_count = latest.position, conversation.unread_count = conversation.unread_count + ?,
       conversation.last_message_id = latest.id, conversation.last_message_at = latest.created_at
     WHERE conversation.id = ?`,
    [count, count, conversationId],
  )
}
