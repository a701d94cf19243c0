import type { MigrationInterface, QueryRunner } from 'typeorm'

const id = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin'
const word = 'VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin'

/** Who runs the models that voice agents speak with, and the keys of workspaces there. */
export class AiProviders1790000000035 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ai_providers (
        id ${id} PRIMARY KEY,
        name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        kind ${word} NOT NULL,
        settings JSON NOT NULL,
        secrets TEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        models JSON NOT NULL,
        voices JSON NOT NULL,
        price_per_minute DECIMAL(14,6) NOT NULL,
        is_active TINYINT(1) NOT NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        UNIQUE KEY ai_providers_name (name),
        KEY ai_providers_by_created_at (created_at, id)
      )`)
    await runner.query(`
      CREATE TABLE ai_provider_keys (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        provider_id ${id} NOT NULL,
        api_key TEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        UNIQUE KEY ai_provider_keys_one (workspace_id, provider_id),
        CONSTRAINT ai_provider_keys_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
        CONSTRAINT ai_provider_keys_provider FOREIGN KEY (provider_id) REFERENCES ai_providers (id) ON DELETE CASCADE
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ai_provider_keys, ai_providers')
  }
}
