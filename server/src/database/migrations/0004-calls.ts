import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Calls, their legs (one channel of the switch each) and their timeline. */
export class Calls1790000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE calls (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        direction VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        status VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        from_number VARCHAR(64) NOT NULL,
        from_name VARCHAR(64) NOT NULL,
        to_number VARCHAR(64) NOT NULL,
        to_name VARCHAR(64) NOT NULL,
        phone_number_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
        max_duration INT UNSIGNED NOT NULL,
        script JSON NOT NULL,
        script_revision INT UNSIGNED NOT NULL DEFAULT 0,
        live TINYINT(1) NULL DEFAULT 1,
        created_at DATETIME(3) NOT NULL,
        answered_at DATETIME(3) NULL,
        ended_at DATETIME(3) NULL,
        duration INT UNSIGNED NOT NULL DEFAULT 0,
        cost DECIMAL(14,6) NOT NULL DEFAULT 0,
        hangup_cause VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
        sip_code SMALLINT UNSIGNED NULL,
        KEY calls_by_created_at (workspace_id, created_at, id),
        KEY calls_live (live),
        CONSTRAINT calls_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE call_legs (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        call_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        channel_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        number VARCHAR(64) NOT NULL,
        gateway_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
        uri VARCHAR(255) NOT NULL,
        fee_per_minute DECIMAL(14,6) NOT NULL,
        created_at DATETIME(3) NOT NULL,
        answered_at DATETIME(3) NULL,
        ended_at DATETIME(3) NULL,
        hangup_cause VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
        sip_code SMALLINT UNSIGNED NULL,
        KEY call_legs_by_call (call_id, id),
        UNIQUE KEY call_legs_channel (channel_id),
        CONSTRAINT call_legs_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE call_events (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        call_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        event VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        direction VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        sip_code SMALLINT UNSIGNED NULL,
        to_party JSON NULL,
        hangup_cause VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
        created_at DATETIME(3) NOT NULL,
        KEY call_events_by_call (call_id, created_at, id),
        CONSTRAINT call_events_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE call_events, call_legs, calls')
  }
}
