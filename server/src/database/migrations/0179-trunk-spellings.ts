import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * How a carrier writes the numbers of its calls, and where the called number is read from. The edge reads a called number in
 * each way that the ACL allows; it finds national ones by the number without its country code.
 */
export class TrunkSpellings1790000000179 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE phone_numbers
      ADD COLUMN national_number VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin
        AS (SUBSTRING(number, CHAR_LENGTH(dial_code) + 1)) PERSISTENT,
      ADD INDEX phone_numbers_national (national_number)`)
    await runner.query(`ALTER TABLE inbound_acls
      ADD COLUMN country VARCHAR(2) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
      ADD COLUMN calling_code VARCHAR(4) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
      ADD COLUMN inbound_number_format VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'auto',
      ADD COLUMN inbound_number_prefix VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
      ADD COLUMN called_number_from VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'request_uri'`)
    await view(
      runner,
      `, n.national_number, n.dial_code, l.calling_code, l.inbound_number_format, l.inbound_number_prefix,
        l.called_number_from`,
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await view(runner, '')
    await runner.query(`ALTER TABLE inbound_acls
      DROP COLUMN country, DROP COLUMN calling_code, DROP COLUMN inbound_number_format,
      DROP COLUMN inbound_number_prefix, DROP COLUMN called_number_from`)
    await runner.query(
      'ALTER TABLE phone_numbers DROP INDEX phone_numbers_national, DROP COLUMN national_number',
    )
  }
}

async function view(runner: QueryRunner, more: string): Promise<void> {
  await runner.query(`
    CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW trunk_numbers AS
      SELECT n.number, n.id AS number_id, n.workspace_id, n.inbound_acl_id AS acl_id, n.status, n.created_at,
        a.first_address, a.last_address, a.is_wide, n.is_verified, l.trusts_identity${more}
      FROM phone_numbers n LEFT JOIN inbound_acls l ON l.id = n.inbound_acl_id
        LEFT JOIN inbound_acl_addresses a ON a.acl_id = n.inbound_acl_id`)
}
