import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Why an agent takes no calls, and the reasons that a workspace offers. */
export class AwayReasons1790000001008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chosen_states ADD COLUMN reason VARCHAR(40) NULL')
    await runner.query('ALTER TABLE workspaces ADD COLUMN away_reasons JSON NULL')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces DROP COLUMN away_reasons')
    await runner.query('ALTER TABLE chosen_states DROP COLUMN reason')
  }
}
