import type { MigrationInterface, QueryRunner } from 'typeorm'

const name = 'VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin'
const id = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin'

/** What cells must know of each other's agents and queues: who rings where, and which callers are being connected. */
export class AgentsAcrossCells1790000000056 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE agent_claims (
        agent_id ${id} NOT NULL PRIMARY KEY,
        cell ${name} NOT NULL,
        call_id ${id} NOT NULL,
        claimed_at DATETIME(3) NOT NULL,
        KEY agent_claims_of_cells (cell)
      ) ENGINE=InnoDB`)
    await runner.query('ALTER TABLE queue_entries ADD COLUMN is_offered BOOLEAN NOT NULL DEFAULT FALSE')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE queue_entries DROP COLUMN is_offered')
    await runner.query('DROP TABLE agent_claims')
  }
}
