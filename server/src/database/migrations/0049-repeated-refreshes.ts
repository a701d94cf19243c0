import type { MigrationInterface, QueryRunner } from 'typeorm'

const ascii = 'CHARACTER SET ascii COLLATE ascii_bin'

/** A refresh of a session may be repeated with its key, as when the answer was lost. */
export class RepeatedRefreshes1790000000049 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE agent_sessions
        ADD COLUMN used_refresh_id VARCHAR(40) ${ascii} NULL AFTER refresh_id,
        ADD COLUMN used_with CHAR(64) ${ascii} NULL AFTER used_refresh_id`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agent_sessions DROP COLUMN used_with, DROP COLUMN used_refresh_id')
  }
}
