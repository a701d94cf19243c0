import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The addresses of files of a message that was accepted, until they are fetched. */
export class PendingMedia1790000000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages ADD COLUMN pending_media_urls JSON NULL')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages DROP COLUMN pending_media_urls')
  }
}
