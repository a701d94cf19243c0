import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Workspaces, their API keys and their credit. */
export class Workspaces1790000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE workspaces (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        title VARCHAR(64) NOT NULL,
        country_code CHAR(2) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL
      )`)
    await runner.query(`
      CREATE TABLE api_keys (
        sid VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        title VARCHAR(64) NOT NULL,
        scope VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        role VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        secret VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        last_used_at DATETIME(3) NULL,
        created_at DATETIME(3) NOT NULL,
        KEY api_keys_by_workspace (workspace_id, created_at),
        CONSTRAINT api_keys_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE credit_balances (
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        balance DECIMAL(14,6) NOT NULL,
        CONSTRAINT credit_balances_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE credit_entries (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        amount DECIMAL(14,6) NOT NULL,
        balance DECIMAL(14,6) NOT NULL,
        reason VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        reference VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        note VARCHAR(255) NOT NULL DEFAULT '',
        created_at DATETIME(3) NOT NULL,
        KEY credit_entries_by_workspace (workspace_id, created_at, id),
        UNIQUE KEY credit_entries_once (reason, reference),
        CONSTRAINT credit_entries_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE credit_entries, credit_balances, api_keys, workspaces')
  }
}
