import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Parts of long texts are kept as the octets that came, with the alphabet in which they stand. NULL: UTF-16BE. */
export class CodedParts1790000000145 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE inbound_segments
        ADD coding VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL AFTER total`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE inbound_segments DROP COLUMN coding')
  }
}
