import { id, word } from './columns.js'

/** Webhooks, the log of their deliveries, and the queue of those that wait. Log and queue have no foreign keys: an event of
 * a call is written beside them, and must not wait for, or fail with, a webhook that is being deleted. */
export const webhooks: readonly string[] = [
  // The previous secret signs, too, up to a time while it is replaced.
  `
    CREATE TABLE webhooks (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      title VARCHAR(64) NOT NULL,
      url VARCHAR(2048) NOT NULL,
      headers MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NULL,
      events JSON NOT NULL,
      secret ${word(255)} NOT NULL,
      previous_secret ${word(255)} NULL,
      previous_secret_until DATETIME(3) NULL,
      is_active BOOLEAN NOT NULL DEFAULT TRUE,
      disabled_reason VARCHAR(255) NULL,
      failing_since DATETIME(3) NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      KEY webhooks_by_created_at (workspace_id, created_at, id),
      CONSTRAINT webhooks_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE webhook_deliveries (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      webhook_id ${id} NOT NULL,
      event_id ${id} NOT NULL,
      event ${word(40)} NOT NULL,
      body MEDIUMTEXT NOT NULL,
      status ${word(16)} NOT NULL,
      attempts INT UNSIGNED NOT NULL DEFAULT 0,
      attempted_at DATETIME(3) NULL,
      next_attempt_at DATETIME(3) NULL,
      duration_ms INT UNSIGNED NULL,
      response_status SMALLINT UNSIGNED NULL,
      response_body TEXT NULL,
      error VARCHAR(255) NULL,
      created_at DATETIME(3) NOT NULL,
      attempt_log JSON NULL,
      KEY webhook_deliveries_by_webhook (workspace_id, webhook_id, created_at, id),
      KEY webhook_deliveries_by_status (workspace_id, webhook_id, status, created_at, id),
      KEY webhook_deliveries_by_event (workspace_id, webhook_id, event, created_at, id),
      KEY webhook_deliveries_by_workspace (workspace_id, created_at, id)
    )`,
  `
    CREATE TABLE webhook_queue (
      delivery_id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      webhook_id ${id} NOT NULL,
      due_at DATETIME(3) NOT NULL,
      give_up_at DATETIME(3) NOT NULL,
      retries INT UNSIGNED NOT NULL DEFAULT 0,
      claim ${word(40)} NULL,
      KEY webhook_queue_due (workspace_id, webhook_id, due_at)
    )`,
]
