import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Accepted work that is done after its transaction, and the keys of requests that must not be done twice. */
export class Outbox1790000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        kind VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        payload JSON NOT NULL,
        due_at DATETIME(3) NOT NULL,
        attempts INT NOT NULL DEFAULT 0,
        created_at DATETIME(3) NOT NULL,
        KEY outbox_due (kind, due_at)
      )`)
    await runner.query(`
      CREATE TABLE idempotency_keys (
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        idempotency_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
        fingerprint CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        answer JSON NOT NULL,
        created_at DATETIME(3) NOT NULL,
        PRIMARY KEY (workspace_id, idempotency_key),
        KEY idempotency_keys_by_age (created_at),
        CONSTRAINT idempotency_keys_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys, outbox')
  }
}
