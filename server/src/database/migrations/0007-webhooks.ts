import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Webhooks, the log of their deliveries, and the queue of those that wait. Log and queue have no
 * foreign keys: an event of a call is written beside them, and must not wait for, or fail with, a
 * webhook that is being deleted.
 */
export class Webhooks1790000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhooks (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        title VARCHAR(64) NOT NULL,
        url VARCHAR(2048) NOT NULL,
        events JSON NOT NULL,
        secret VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        is_active TINYINT(1) NOT NULL DEFAULT 1,
        disabled_reason VARCHAR(255) NULL,
        failing_since DATETIME(3) NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        KEY webhooks_by_created_at (workspace_id, created_at, id),
        CONSTRAINT webhooks_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE webhook_deliveries (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        webhook_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        event_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        event VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        body MEDIUMTEXT NOT NULL,
        status VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        attempts INT UNSIGNED NOT NULL DEFAULT 0,
        attempted_at DATETIME(3) NULL,
        next_attempt_at DATETIME(3) NULL,
        duration_ms INT UNSIGNED NULL,
        response_status SMALLINT UNSIGNED NULL,
        response_body TEXT NULL,
        error VARCHAR(255) NULL,
        created_at DATETIME(3) NOT NULL,
        KEY webhook_deliveries_by_webhook (workspace_id, webhook_id, created_at, id),
        KEY webhook_deliveries_by_status (workspace_id, webhook_id, status, created_at, id),
        KEY webhook_deliveries_by_age (created_at)
      )`)
    await runner.query(`
      CREATE TABLE webhook_queue (
        delivery_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        webhook_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        due_at DATETIME(3) NOT NULL,
        give_up_at DATETIME(3) NOT NULL,
        retries INT UNSIGNED NOT NULL DEFAULT 0,
        claim VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
        KEY webhook_queue_due (workspace_id, webhook_id, due_at)
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_queue, webhook_deliveries, webhooks')
  }
}
