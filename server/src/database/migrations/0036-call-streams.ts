import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Background streams of calls, from which the next process recovers them. */
export class CallStreams1790000000036 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE call_streams (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        call_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        settings TEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        is_awaited TINYINT(1) NOT NULL,
        channel_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
        frames_sent INT UNSIGNED NOT NULL DEFAULT 0,
        frames_dropped INT UNSIGNED NOT NULL DEFAULT 0,
        created_at DATETIME(3) NOT NULL,
        ended_at DATETIME(3) NULL,
        end_reason VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
        KEY call_streams_by_call (call_id, created_at),
        CONSTRAINT call_streams_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE call_streams')
  }
}
