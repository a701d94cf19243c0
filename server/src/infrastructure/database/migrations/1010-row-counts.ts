import type { MigrationInterface, QueryRunner } from 'typeorm'
import { id, word } from './baseline/columns.js'

/** How many rows of a limited kind a workspace holds at most: creating one need not count them. */
export class RowCounts1790000001010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE row_counts (
        workspace_id ${id} NOT NULL,
        name ${word(64)} NOT NULL,
        held INT UNSIGNED NOT NULL,
        counted_at DATETIME(3) NOT NULL,
        PRIMARY KEY (workspace_id, name),
        CONSTRAINT row_counts_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE row_counts')
  }
}
