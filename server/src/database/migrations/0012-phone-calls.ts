import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Whose phone made a call, and which phones its legs reach. */
export class PhoneCalls1790000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = 'sip_account_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL'
    await runner.query(`ALTER TABLE calls ADD COLUMN ${column}`)
    await runner.query(`ALTER TABLE call_legs ADD COLUMN ${column}`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE call_legs DROP COLUMN sip_account_id')
    await runner.query('ALTER TABLE calls DROP COLUMN sip_account_id')
  }
}
