import type { MigrationInterface, QueryRunner } from 'typeorm'

const ascii = 'CHARACTER SET ascii COLLATE ascii_bin'

/** Requests to delete all data of a person. The numbers are stored only until that is done. */
export class Erasures1790000000126 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE erasures (
        id VARCHAR(40) ${ascii} NOT NULL,
        workspace_id VARCHAR(40) ${ascii} NOT NULL,
        status VARCHAR(16) ${ascii} NOT NULL,
        label VARCHAR(254) NOT NULL,
        numbers JSON NULL,
        contacts JSON NULL,
        deleted JSON NOT NULL,
        waiting_for JSON NOT NULL,
        requested_by_kind VARCHAR(16) ${ascii} NOT NULL,
        requested_by_id VARCHAR(64) ${ascii} NULL,
        created_at DATETIME(3) NOT NULL,
        started_at DATETIME(3) NULL,
        ended_at DATETIME(3) NULL,
        PRIMARY KEY (id),
        KEY erasures_by_created_at (workspace_id, created_at, id),
        CONSTRAINT erasures_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE erasures')
  }
}
