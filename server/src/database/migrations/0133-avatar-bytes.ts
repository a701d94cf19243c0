import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The size of uploaded pictures, which counts among the bytes that a workspace keeps; the server measures those there are. */
export class AvatarBytes1790000000133 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents ADD COLUMN avatar_bytes INT UNSIGNED NOT NULL DEFAULT 0')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents DROP COLUMN avatar_bytes')
  }
}
