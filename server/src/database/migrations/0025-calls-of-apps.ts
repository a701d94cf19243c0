import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Calls that apps make: those of users of customers' apps by the name that the customer gave them. */
export class CallsOfApps1790000000025 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls
        ADD client_sub VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL AFTER agent_id,
        ADD is_video TINYINT(1) NOT NULL DEFAULT 0 AFTER client_sub`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls DROP COLUMN client_sub, DROP COLUMN is_video')
  }
}
