import type { MigrationInterface, QueryRunner } from 'typeorm'

const ids = 'CHARACTER SET ascii COLLATE ascii_bin NOT NULL'

/**
 * How long workspaces keep what grows, the usage that outlives deleted calls and messages, and an index of webhook
 * deliveries by workspace and age. Nothing is deleted because of this migration: all new columns say nothing.
 */
export class Retention1790000000125 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces
        ADD call_retention_days INT UNSIGNED NULL,
        ADD message_retention_days INT UNSIGNED NULL,
        ADD ledger_retention_days INT UNSIGNED NULL,
        ADD webhook_delivery_retention_days INT UNSIGNED NULL,
        ADD audit_log_retention_days INT UNSIGNED NULL`)
    await runner.query(`
      ALTER TABLE conversations
        ADD deleted_messages INT UNSIGNED NOT NULL DEFAULT 0,
        ADD KEY conversations_by_age (workspace_id, created_at, id)`)
    await runner.query('ALTER TABLE credit_entries ADD is_subject_deleted TINYINT(1) NOT NULL DEFAULT 0')
    await runner.query(`
      ALTER TABLE webhook_deliveries
        ADD KEY webhook_deliveries_by_workspace (workspace_id, created_at, id),
        DROP KEY webhook_deliveries_by_age`)
    await runner.query(`
      CREATE TABLE usage_days (
        workspace_id VARCHAR(40) ${ids},
        day DATE NOT NULL,
        direction VARCHAR(8) ${ids},
        calls INT UNSIGNED NOT NULL DEFAULT 0,
        seconds BIGINT UNSIGNED NOT NULL DEFAULT 0,
        cost DECIMAL(14,6) NOT NULL DEFAULT 0,
        messages INT UNSIGNED NOT NULL DEFAULT 0,
        segments INT UNSIGNED NOT NULL DEFAULT 0,
        message_cost DECIMAL(14,6) NOT NULL DEFAULT 0,
        PRIMARY KEY (workspace_id, day, direction),
        CONSTRAINT usage_days_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE rated_usage_days (
        workspace_id VARCHAR(40) ${ids},
        day DATE NOT NULL,
        kind VARCHAR(16) ${ids},
        rate_deck_id VARCHAR(40) ${ids},
        prefix VARCHAR(20) ${ids},
        count INT UNSIGNED NOT NULL,
        seconds BIGINT UNSIGNED NOT NULL,
        segments INT UNSIGNED NOT NULL,
        cost DECIMAL(14,6) NOT NULL,
        PRIMARY KEY (workspace_id, day, kind, rate_deck_id, prefix),
        CONSTRAINT rated_usage_days_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE sweep_leases (
        name VARCHAR(40) ${ids},
        server_id VARCHAR(64) ${ids},
        leased_until DATETIME(3) NOT NULL,
        PRIMARY KEY (name)
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sweep_leases, rated_usage_days, usage_days')
    await runner.query(`
      ALTER TABLE webhook_deliveries
        ADD KEY webhook_deliveries_by_age (created_at),
        DROP KEY webhook_deliveries_by_workspace`)
    await runner.query('ALTER TABLE credit_entries DROP COLUMN is_subject_deleted')
    await runner.query(
      'ALTER TABLE conversations DROP KEY conversations_by_age, DROP COLUMN deleted_messages',
    )
    await runner.query(`
      ALTER TABLE workspaces
        DROP COLUMN call_retention_days,
        DROP COLUMN message_retention_days,
        DROP COLUMN ledger_retention_days,
        DROP COLUMN webhook_delivery_retention_days,
        DROP COLUMN audit_log_retention_days`)
  }
}
