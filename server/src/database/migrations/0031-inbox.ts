import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What lists of the inbox filter by: they are sorted, paged, filtered and counted in their indexes. */
const filtered = 'phone_number_id, assigned_agent_id, assigned_team_id, unread_count'

/** Makes lists of conversations, and of the messages of one, as quick with many rows as with few. */
export class Inbox1790000000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE conversations
        ADD message_count INT UNSIGNED NOT NULL DEFAULT 0 AFTER unread_count,
        DROP KEY conversations_by_activity,
        DROP KEY conversations_by_status,
        ADD KEY conversations_by_activity
          (workspace_id, last_message_at, id, status, ${filtered}, client_number, system_number),
        ADD KEY conversations_by_status (workspace_id, status, last_message_at, id, ${filtered}),
        ADD KEY conversations_by_team (workspace_id, assigned_team_id, last_message_at, id)`)
    await runner.query(`
      ALTER TABLE messages
        ADD position INT UNSIGNED NOT NULL DEFAULT 0 AFTER conversation_id,
        DROP KEY messages_by_conversation,
        ADD KEY messages_by_conversation (conversation_id, created_at, position),
        ADD KEY messages_by_position (conversation_id, position)`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE messages
        DROP KEY messages_by_position,
        DROP KEY messages_by_conversation,
        DROP COLUMN position,
        ADD KEY messages_by_conversation (conversation_id, created_at, id)`)
    await runner.query(`
      ALTER TABLE conversations
        DROP COLUMN message_count,
        DROP KEY conversations_by_team,
        DROP KEY conversations_by_activity,
        DROP KEY conversations_by_status,
        ADD KEY conversations_by_activity (workspace_id, last_message_at, id),
        ADD KEY conversations_by_status (workspace_id, status, last_message_at, id)`)
  }
}
