import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The gateway of a workspace's emergency calls. */
export class EmergencyGateways1790000000182 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE workspaces
       ADD COLUMN emergency_gateway_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
       ADD CONSTRAINT workspaces_emergency_gateway FOREIGN KEY (emergency_gateway_id)
         REFERENCES outbound_gateways (id) ON DELETE SET NULL`,
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces DROP FOREIGN KEY workspaces_emergency_gateway')
    await runner.query('ALTER TABLE workspaces DROP COLUMN emergency_gateway_id')
  }
}
