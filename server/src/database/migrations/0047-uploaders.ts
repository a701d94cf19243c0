import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Files to send are uploaded with API keys, too, not by agents alone. */
export class Uploaders1790000000047 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message_uploads RENAME COLUMN agent_id TO uploader_id,
        RENAME KEY message_uploads_by_agent TO message_uploads_by_uploader`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE message_uploads RENAME COLUMN uploader_id TO agent_id,
        RENAME KEY message_uploads_by_uploader TO message_uploads_by_agent`)
  }
}
