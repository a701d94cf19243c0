import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Whether a carrier is offered SRTP. */
export class MediaEncryption1790000000176 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE outbound_gateways ADD COLUMN media_encryption VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'none'",
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbound_gateways DROP COLUMN media_encryption')
  }
}
