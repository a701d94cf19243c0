import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Opt-outs go with their number; parts of long texts that wait are found without reading what has long been joined. */
export class InboundMessages1790000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE opt_outs
        ADD CONSTRAINT opt_outs_number FOREIGN KEY (phone_number_id) REFERENCES phone_numbers (id) ON DELETE CASCADE`)
    await runner.query('CREATE INDEX inbound_segments_waiting ON inbound_segments (reference, received_at)')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX inbound_segments_waiting ON inbound_segments')
    await runner.query('ALTER TABLE opt_outs DROP FOREIGN KEY opt_outs_number')
  }
}
