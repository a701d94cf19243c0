import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Each attempt of a delivery is kept with it; the log is narrowed to one event. */
export class DeliveryAttempts1790000000048 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_deliveries
        ADD COLUMN attempt_log JSON NULL,
        ADD KEY webhook_deliveries_by_event (workspace_id, webhook_id, event, created_at, id)`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_deliveries DROP KEY webhook_deliveries_by_event, DROP COLUMN attempt_log`)
  }
}
