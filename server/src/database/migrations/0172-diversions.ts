import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Who forwarded a call before it came in, and how much of that a carrier gets when the call is forwarded. */
export class Diversions1790000000172 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls ADD COLUMN diversions JSON NULL')
    await runner.query(`ALTER TABLE outbound_gateways
      ADD COLUMN forwarded_calls VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'none',
      ADD COLUMN forwarded_caller VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'own'`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE outbound_gateways DROP COLUMN forwarded_calls, DROP COLUMN forwarded_caller',
    )
    await runner.query('ALTER TABLE calls DROP COLUMN diversions')
  }
}
