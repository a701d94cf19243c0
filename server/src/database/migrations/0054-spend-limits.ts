import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What a workspace may spend in an hour and a day, what it has spent, and what the operator is alarmed about. */
export class SpendLimits1790000000054 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces
        ADD COLUMN max_spend_per_hour DECIMAL(14,6) NULL,
        ADD COLUMN max_spend_per_day DECIMAL(14,6) NULL`)
    await runner.query(`
      ALTER TABLE credit_balances
        ADD COLUMN hour_began DATETIME(3) NULL,
        ADD COLUMN hour_spent DECIMAL(14,6) NOT NULL DEFAULT 0,
        ADD COLUMN day_began DATETIME(3) NULL,
        ADD COLUMN day_spent DECIMAL(14,6) NOT NULL DEFAULT 0`)
    await runner.query(`
      CREATE TABLE alerts (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        kind VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        period_began DATETIME(3) NOT NULL,
        message VARCHAR(255) NOT NULL,
        created_at DATETIME(3) NOT NULL,
        UNIQUE KEY alerts_once (workspace_id, kind, period_began),
        KEY alerts_by_created_at (created_at, id),
        CONSTRAINT alerts_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE alerts')
    await runner.query(`
      ALTER TABLE credit_balances DROP COLUMN day_spent, DROP COLUMN day_began, DROP COLUMN hour_spent,
        DROP COLUMN hour_began`)
    await runner.query('ALTER TABLE workspaces DROP COLUMN max_spend_per_day, DROP COLUMN max_spend_per_hour')
  }
}
