import type { MigrationInterface, QueryRunner } from 'typeorm'

/** A suspended workspace keeps all its data, but its people and keys may do nothing. */
export class SuspendedWorkspaces1790000000045 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces ADD COLUMN is_suspended TINYINT NOT NULL DEFAULT 0')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces DROP COLUMN is_suspended')
  }
}
