import type { MigrationInterface, QueryRunner } from 'typeorm'

/** A webhook sends headers of its customer's, such as credentials; they are sealed. */
export class WebhookHeaders1790000000160 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE webhooks ADD COLUMN headers MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NULL AFTER url',
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhooks DROP COLUMN headers')
  }
}
