import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The codecs that a gateway's carrier is offered, best first; null: PCMU and PCMA. */
export class GatewayCodecs1790000000173 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbound_gateways ADD COLUMN codecs JSON NULL')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbound_gateways DROP COLUMN codecs')
  }
}
