import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Whether a carrier's `P-Asserted-Identity` says who calls. ACLs that there are keep on trusting it, as their callers'
 * numbers may be nowhere else.
 */
export class TrustedIdentities1790000000105 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE inbound_acls ADD COLUMN trusts_identity TINYINT(1) NOT NULL DEFAULT 0')
    await runner.query('UPDATE inbound_acls SET trusts_identity = 1')
    await view(runner, ', l.trusts_identity', 'LEFT JOIN inbound_acls l ON l.id = n.inbound_acl_id')
  }

  async down(runner: QueryRunner): Promise<void> {
    await view(runner, '', '')
    await runner.query('ALTER TABLE inbound_acls DROP COLUMN trusts_identity')
  }
}

async function view(runner: QueryRunner, more: string, join: string): Promise<void> {
  await runner.query(`
    CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW trunk_numbers AS
      SELECT n.number, n.id AS number_id, n.workspace_id, n.inbound_acl_id AS acl_id, n.status, n.created_at,
        a.first_address, a.last_address, a.is_wide, n.is_verified${more}
      FROM phone_numbers n ${join} LEFT JOIN inbound_acl_addresses a ON a.acl_id = n.inbound_acl_id`)
}
