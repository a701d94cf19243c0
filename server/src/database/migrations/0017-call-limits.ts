import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * What a workspace's calls may be, and how many of them live: a number of its own beside the rows, as counting these
 * while others begin and end would let calls of a workspace wait for each other.
 */
export class CallLimits1790000000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces
        ADD COLUMN max_concurrent_calls INT UNSIGNED NULL,
        ADD COLUMN max_calls_per_second INT UNSIGNED NULL,
        ADD COLUMN allowed_countries JSON NULL,
        ADD COLUMN call_recording TINYINT(1) NOT NULL DEFAULT 1,
        ADD COLUMN call_internal_recording TINYINT(1) NOT NULL DEFAULT 1`)
    await runner.query('ALTER TABLE sip_accounts ADD COLUMN max_concurrent_calls INT UNSIGNED NULL')
    await runner.query(`
      CREATE TABLE live_call_counts (
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        live_calls INT UNSIGNED NOT NULL,
        CONSTRAINT live_call_counts_workspace
          FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      INSERT INTO live_call_counts (workspace_id, live_calls)
        SELECT w.id, COUNT(c.id) FROM workspaces w LEFT JOIN calls c ON c.workspace_id = w.id AND c.live = 1 GROUP BY w.id`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE live_call_counts')
    await runner.query('ALTER TABLE sip_accounts DROP COLUMN max_concurrent_calls')
    await runner.query(`
      ALTER TABLE workspaces
        DROP COLUMN max_concurrent_calls,
        DROP COLUMN max_calls_per_second,
        DROP COLUMN allowed_countries,
        DROP COLUMN call_recording,
        DROP COLUMN call_internal_recording`)
  }
}
