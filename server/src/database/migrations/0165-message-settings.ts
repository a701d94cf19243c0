import type { MigrationInterface, QueryRunner } from 'typeorm'

const ascii = 'CHARACTER SET ascii COLLATE ascii_bin'

/** A workspace has words of its own by which clients opt out, in again and ask for help, and answers of its own to them. */
export class MessageSettings1790000000165 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE message_settings (
        workspace_id VARCHAR(64) ${ascii} NOT NULL,
        stop_words JSON NOT NULL,
        start_words JSON NOT NULL,
        help_words JSON NOT NULL,
        stop_reply VARCHAR(1600) NULL,
        start_reply VARCHAR(1600) NULL,
        help_reply VARCHAR(1600) NULL,
        updated_at DATETIME(3) NOT NULL,
        PRIMARY KEY (workspace_id),
        CONSTRAINT message_settings_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id)
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE message_settings')
  }
}
