import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Kamailio sees whether the operator knows a number to be its workspace's: of several workspaces that one gets its calls. */
export class VerifiedTrunkNumbers1790000000081 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await view(runner, ', n.is_verified')
  }

  async down(runner: QueryRunner): Promise<void> {
    await view(runner, '')
  }
}

async function view(runner: QueryRunner, more: string): Promise<void> {
  await runner.query(`
    CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY DEFINER VIEW trunk_numbers AS
      SELECT n.number, n.id AS number_id, n.workspace_id, n.inbound_acl_id AS acl_id, n.status, n.created_at,
        a.first_address, a.last_address, a.is_wide${more}
      FROM phone_numbers n LEFT JOIN inbound_acl_addresses a ON a.acl_id = n.inbound_acl_id`)
}
