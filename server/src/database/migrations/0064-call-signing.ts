import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Who may have calls signed, which is the operator's to say; and what an alert's message speaks of. */
export class CallSigning1790000000064 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces ADD COLUMN call_signing TINYINT(1) NOT NULL DEFAULT 0')
    // Workspaces that sign keep signing.
    await runner.query(`
      UPDATE workspaces SET call_signing = 1
      WHERE id IN (SELECT workspace_id FROM outbound_gateways WHERE is_signing = 1)`)
    await runner.query('ALTER TABLE alerts ADD COLUMN details JSON NULL')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE alerts DROP COLUMN details')
    await runner.query('ALTER TABLE workspaces DROP COLUMN call_signing')
  }
}
