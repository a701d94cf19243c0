import type { MigrationInterface, QueryRunner } from 'typeorm'

const id = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin'

/** Files that agents upload to send them, until a message takes them. */
export class MessageUploads1790000000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE message_uploads (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        agent_id ${id} NOT NULL,
        content_type VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        bytes INT UNSIGNED NOT NULL,
        storage VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        storage_key VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        token VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        created_at DATETIME(3) NOT NULL,
        KEY message_uploads_by_workspace (workspace_id),
        KEY message_uploads_by_agent (agent_id),
        KEY message_uploads_by_age (created_at)
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE message_uploads')
  }
}
