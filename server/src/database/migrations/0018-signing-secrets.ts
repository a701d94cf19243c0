import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What the callbacks of a workspace's calls are signed with. */
export class SigningSecrets1790000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE signing_secrets (
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        secret VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        created_at DATETIME(3) NOT NULL,
        CONSTRAINT signing_secrets_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE signing_secrets')
  }
}
