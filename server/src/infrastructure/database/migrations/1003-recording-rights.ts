import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Whether the agents of a call may pause its recording. */
export class RecordingRights1790000001003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces ADD COLUMN agents_pause_recordings BOOLEAN NOT NULL DEFAULT 1')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces DROP COLUMN agents_pause_recordings')
  }
}
