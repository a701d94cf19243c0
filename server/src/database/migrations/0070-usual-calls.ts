import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What is usual is forgotten by less than a call at a time: whole numbers lost one with every hour. */
export class UsualCalls1790000000070 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE called_countries MODIFY usual_calls DECIMAL(16, 6) UNSIGNED NOT NULL')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE called_countries MODIFY usual_calls INT UNSIGNED NOT NULL')
  }
}
