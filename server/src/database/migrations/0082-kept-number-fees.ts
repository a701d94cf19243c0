import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What a number cost that its workspace has given up: it costs the same when it is connected again. */
export class KeptNumberFees1790000000082 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE kept_number_fees (
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        number VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        fee_per_month DECIMAL(14,6) NOT NULL,
        fee_per_mins_call DECIMAL(14,6) NOT NULL,
        fee_per_segment DECIMAL(14,6) NOT NULL,
        fee_per_mms DECIMAL(14,6) NOT NULL,
        PRIMARY KEY (workspace_id, number),
        CONSTRAINT kept_number_fees_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE kept_number_fees')
  }
}
