import type { MigrationInterface, QueryRunner } from 'typeorm'

/** STIR: which gateways sign, how a number is attested, which callers are let in unverified, what a call showed. */
export class Stir1790000000057 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbound_gateways ADD COLUMN is_signing TINYINT(1) NOT NULL DEFAULT 0')
    await runner.query('ALTER TABLE phone_numbers ADD COLUMN is_verified TINYINT(1) NOT NULL DEFAULT 0')
    await runner.query(`
      ALTER TABLE inbound_acls
        ADD COLUMN unverified_callers VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'take'`)
    await runner.query('ALTER TABLE calls ADD COLUMN caller_verification JSON NULL')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls DROP COLUMN caller_verification')
    await runner.query('ALTER TABLE inbound_acls DROP COLUMN unverified_callers')
    await runner.query('ALTER TABLE phone_numbers DROP COLUMN is_verified')
    await runner.query('ALTER TABLE outbound_gateways DROP COLUMN is_signing')
  }
}
