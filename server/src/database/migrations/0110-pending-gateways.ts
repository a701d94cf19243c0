import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Gateways that wait for the operator's approval. A carrier belongs to the workspaces whose gateways there are approved or have
 * carried an answered call: naming its host takes nothing from others. The default caller id of a gateway is optional.
 */
export class PendingGateways1790000000110 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outbound_gateways
        MODIFY outbound_caller_id VARCHAR(64) NULL,
        ADD COLUMN state VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'active',
        ADD KEY outbound_gateways_by_state (state)`)
    await runner.query(`
      ALTER TABLE gateway_addresses
        ADD COLUMN used_at DATETIME(3) NULL,
        ADD COLUMN approved_at DATETIME(3) NULL`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE gateway_addresses DROP COLUMN used_at, DROP COLUMN approved_at')
    await runner.query(
      "UPDATE outbound_gateways SET outbound_caller_id = '' WHERE outbound_caller_id IS NULL",
    )
    await runner.query(`
      ALTER TABLE outbound_gateways
        DROP KEY outbound_gateways_by_state,
        DROP COLUMN state,
        MODIFY outbound_caller_id VARCHAR(64) NOT NULL`)
  }
}
