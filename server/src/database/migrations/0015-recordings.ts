import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Recordings and voicemail. The table has no foreign keys: a recording outlives nothing that it names, and its
 * rows are removed by hand, together with what they own in the storage.
 */
export class Recordings1790000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const id = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin'
    await runner.query(`
      CREATE TABLE recordings (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        call_id ${id} NOT NULL,
        kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        status VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        format VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        channels TINYINT UNSIGNED NOT NULL,
        channel_id ${id} NOT NULL,
        from_number VARCHAR(64) NOT NULL,
        to_number VARCHAR(64) NOT NULL,
        storage VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NULL,
        storage_key VARCHAR(160) CHARACTER SET ascii COLLATE ascii_bin NULL,
        size_bytes INT UNSIGNED NULL,
        duration_ms INT UNSIGNED NULL,
        error VARCHAR(255) NULL,
        created_at DATETIME(3) NOT NULL,
        ended_at DATETIME(3) NULL,
        KEY recordings_by_created_at (workspace_id, created_at, id),
        KEY recordings_by_kind (workspace_id, kind, created_at, id),
        KEY recordings_by_call (workspace_id, call_id, created_at, id),
        KEY recordings_by_status (status, id)
      )`)
    await runner.query('ALTER TABLE workspaces ADD COLUMN recording_retention_days INT UNSIGNED NULL')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces DROP COLUMN recording_retention_days')
    await runner.query('DROP TABLE recordings')
  }
}
