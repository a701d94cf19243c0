import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Audio files that calls play. */
export class Audios1790000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audios (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        title VARCHAR(64) NOT NULL,
        source VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        text TEXT NULL,
        duration DECIMAL(10,3) NOT NULL,
        size INT UNSIGNED NOT NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        KEY audios_by_created_at (workspace_id, created_at, id),
        KEY audios_by_title (workspace_id, title, id),
        CONSTRAINT audios_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audios')
  }
}
