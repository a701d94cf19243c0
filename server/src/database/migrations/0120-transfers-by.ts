import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Which agents of a workspace may hand calls over: `any_agent` (contract, Supervision and transfer) or `involved`. */
export class TransfersBy1790000000120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces
        ADD COLUMN transfers_by VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'any_agent'`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces DROP COLUMN transfers_by')
  }
}
