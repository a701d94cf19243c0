import { id, word } from './columns.js'

/** The inbox: its lists are sorted, paged, filtered and counted in indexes. */
export const conversations: readonly string[] = [
  `
    CREATE TABLE conversations (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      phone_number_id ${id} NOT NULL,
      system_number ${word(20)} NOT NULL,
      client_number ${word(20)} NOT NULL,
      assigned_agent_id ${id} NULL,
      assigned_team_id ${id} NULL,
      status ${word(16)} NOT NULL,
      unread_count INT UNSIGNED NOT NULL DEFAULT 0,
      message_count INT UNSIGNED NOT NULL DEFAULT 0,
      last_message_id ${id} NULL,
      last_message_at DATETIME(3) NULL,
      last_read_at DATETIME(3) NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      deleted_messages INT UNSIGNED NOT NULL DEFAULT 0,
      UNIQUE KEY conversations_pair (workspace_id, phone_number_id, client_number),
      KEY conversations_by_agent (workspace_id, assigned_agent_id, last_message_at, id),
      KEY conversations_by_activity (
        workspace_id, last_message_at, id, status, phone_number_id, assigned_agent_id, assigned_team_id,
        unread_count, client_number, system_number
      ),
      KEY conversations_by_status (
        workspace_id, status, last_message_at, id, phone_number_id, assigned_agent_id, assigned_team_id,
        unread_count
      ),
      KEY conversations_by_team (workspace_id, assigned_team_id, last_message_at, id),
      KEY conversations_by_age (workspace_id, created_at, id)
    )`,
  `
    CREATE TABLE conversation_notes (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      conversation_id ${id} NOT NULL,
      agent_id ${id} NOT NULL,
      body VARCHAR(2000) NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      KEY conversation_notes_by_conversation (conversation_id, created_at, id),
      KEY conversation_notes_by_workspace (workspace_id)
    )`,
  `
    CREATE TABLE canned_replies (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      title VARCHAR(64) NOT NULL,
      body VARCHAR(1600) NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      KEY canned_replies_by_title (workspace_id, title, id),
      CONSTRAINT canned_replies_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
]
