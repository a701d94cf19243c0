import type { MigrationInterface, QueryRunner } from 'typeorm'

/** New workspaces call no premium-rate numbers before the operator allows it; those that there are go on as they were. */
export class PremiumRates1790000000112 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces ADD COLUMN allow_premium_rate TINYINT(1) NOT NULL DEFAULT 0')
    await runner.query('UPDATE workspaces SET allow_premium_rate = 1')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces DROP COLUMN allow_premium_rate')
  }
}
