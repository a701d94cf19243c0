import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Which API keys sign the JWTs of clients. Keys that may write sign them as before; keys that only read no longer do. */
export class SigningKeys1790000000095 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE api_keys ADD COLUMN signs_clients TINYINT(1) NOT NULL DEFAULT 0 AFTER role',
    )
    await runner.query(
      "UPDATE api_keys SET signs_clients = 1 WHERE scope = 'full' AND role IN ('owner', 'editor')",
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP COLUMN signs_clients')
  }
}
