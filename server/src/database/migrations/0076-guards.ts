import type { MigrationInterface, QueryRunner } from 'typeorm'

const tables = ['calls', 'workspaces']

/**
 * What is written to keep others from changing a row, or what depends on it, until a transaction ends: 0 and 1 by turns.
 * Locks alone hold on one node of a cluster only; of two transactions that write one row only one is committed.
 */
export class Guards1790000000076 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of tables)
      await runner.query(`ALTER TABLE ${table} ADD COLUMN guard TINYINT NOT NULL DEFAULT 0`)
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of tables) await runner.query(`ALTER TABLE ${table} DROP COLUMN guard`)
  }
}
