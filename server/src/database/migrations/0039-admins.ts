import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Agents who may do in their workspace what an API key of its owner may. */
export class Admins1790000000039 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents ADD COLUMN is_admin TINYINT(1) NOT NULL DEFAULT 0 AFTER role')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents DROP COLUMN is_admin')
  }
}
