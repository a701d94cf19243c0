import type { MigrationInterface, QueryRunner } from 'typeorm'

/** When the server of a cell last knew that its switch lives, by its own clock: its calls ended then where either dies. */
export class LastHeardCells1790000000075 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE cells ADD COLUMN heard_at DATETIME(3) NULL AFTER beat_at')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE cells DROP COLUMN heard_at')
  }
}
