import type { MigrationInterface, QueryRunner } from 'typeorm'

const name = 'VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin'

/** Several switches, each driven by servers of its own: which there are, and whose a call and its work are. */
export class Cells1790000000055 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE cells (
        name ${name} NOT NULL PRIMARY KEY,
        switch_address VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        server_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        beat_at DATETIME(3) NOT NULL,
        is_draining BOOLEAN NOT NULL DEFAULT FALSE,
        is_up BOOLEAN NOT NULL DEFAULT FALSE,
        undertaken_at DATETIME(3) NULL
      ) ENGINE=InnoDB`)
    await runner.query(`ALTER TABLE calls ADD COLUMN cell ${name} NOT NULL DEFAULT 'one'`)
    await runner.query(`ALTER TABLE outbox ADD COLUMN cell ${name} NOT NULL DEFAULT 'one'`)
    // Calls that live now have a cell that can be found dead, if their server comes back under another name.
    await runner.query(`
      INSERT INTO cells (name, switch_address, server_id, beat_at)
      SELECT 'one', '', '', UTC_TIMESTAMP(3) FROM DUAL WHERE EXISTS (SELECT 1 FROM calls WHERE live = 1)`)
    await runner.query('CREATE INDEX outbox_of_cells ON outbox (kind, cell, due_at)')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX outbox_of_cells ON outbox')
    await runner.query('ALTER TABLE outbox DROP COLUMN cell')
    await runner.query('ALTER TABLE calls DROP COLUMN cell')
    await runner.query('DROP TABLE cells')
  }
}
