import type { MigrationInterface, QueryRunner } from 'typeorm'

/** How a carrier wants From, Contact, the request URI and numbers. Calls go out as before until they are set. */
export class GatewayHeaders1790000000178 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE outbound_gateways
      ADD COLUMN from_user VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ADD COLUMN from_user_approved TINYINT(1) NOT NULL DEFAULT 0,
      ADD COLUMN from_domain VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ADD COLUMN contact_host VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ADD COLUMN request_domain VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ADD COLUMN country VARCHAR(2) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
      ADD COLUMN number_format VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'plus',
      ADD COLUMN number_prefix VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
      ADD COLUMN caller_number_format VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'plus'`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE outbound_gateways
      DROP COLUMN from_user, DROP COLUMN from_user_approved, DROP COLUMN from_domain, DROP COLUMN contact_host,
      DROP COLUMN request_domain, DROP COLUMN country, DROP COLUMN number_format, DROP COLUMN number_prefix,
      DROP COLUMN caller_number_format`)
  }
}
