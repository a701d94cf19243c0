import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Leaders act in all teams of their workspace by their role, unless the workspace wants them in their own teams only. */
export class LeadersOfTeams1790000000096 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE workspaces ADD COLUMN leaders_only_own_teams TINYINT(1) NOT NULL DEFAULT 0',
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces DROP COLUMN leaders_only_own_teams')
  }
}
