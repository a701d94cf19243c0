import type { MigrationInterface, QueryRunner } from 'typeorm'

/** A workspace may have marks that GSM-7 lacks replaced by those that look alike. */
export class LookAlikes1790000000166 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE message_settings ADD COLUMN replace_look_alikes TINYINT(1) NOT NULL DEFAULT 0',
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE message_settings DROP COLUMN replace_look_alikes')
  }
}
