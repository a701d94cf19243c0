import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The bytes of files that each workspace keeps, and how many it may keep. */
export class KeptBytes1790000000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces ADD COLUMN max_storage_mb INT UNSIGNED NULL')
    await runner.query(`
      CREATE TABLE kept_bytes (
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
        bytes BIGINT NOT NULL,
        CONSTRAINT kept_bytes_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      INSERT INTO kept_bytes (workspace_id, bytes)
      SELECT id,
        (SELECT COALESCE(SUM(size), 0) FROM audios WHERE workspace_id = workspaces.id)
        + (SELECT COALESCE(SUM(size_bytes), 0) FROM recordings WHERE workspace_id = workspaces.id AND status = 'ready')
        + (SELECT COALESCE(SUM(bytes), 0) FROM message_attachments WHERE workspace_id = workspaces.id)
        + (SELECT COALESCE(SUM(bytes), 0) FROM message_uploads WHERE workspace_id = workspaces.id)
      FROM workspaces`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE kept_bytes')
    await runner.query('ALTER TABLE workspaces DROP COLUMN max_storage_mb')
  }
}
