import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Short numbers of carriers, which go out as they are dialled. */
export class ShortNumbers1790000000169 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE outbound_gateways ADD COLUMN short_numbers JSON NOT NULL DEFAULT '[]'`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbound_gateways DROP COLUMN short_numbers')
  }
}
