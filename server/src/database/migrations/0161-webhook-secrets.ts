import type { MigrationInterface, QueryRunner } from 'typeorm'

/** While a webhook's secret is replaced, the one before signs too, up to a time. */
export class WebhookSecrets1790000000161 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhooks
        ADD COLUMN previous_secret VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL AFTER secret,
        ADD COLUMN previous_secret_until DATETIME(3) NULL AFTER previous_secret`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhooks DROP COLUMN previous_secret, DROP COLUMN previous_secret_until')
  }
}
