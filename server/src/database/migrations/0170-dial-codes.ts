import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What phones dial to reach a call flow. */
export class DialCodes1790000000170 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE call_flows ADD COLUMN dial_code VARCHAR(6) CHARACTER SET ascii COLLATE ascii_bin NULL,
       ADD UNIQUE INDEX call_flows_dial_code (workspace_id, dial_code)`,
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE call_flows DROP INDEX call_flows_dial_code, DROP COLUMN dial_code')
  }
}
