import type { MigrationInterface, QueryRunner } from 'typeorm'

/** A workspace that is deleted is closed at once; its rows go in batches, and its own one last. */
export class DeletedWorkspaces1790000000135 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces
        ADD COLUMN deleted_at DATETIME(3) NULL,
        ADD KEY workspaces_by_deleted_at (deleted_at)`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces DROP KEY workspaces_by_deleted_at, DROP COLUMN deleted_at')
  }
}
