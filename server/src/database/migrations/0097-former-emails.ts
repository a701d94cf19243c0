import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The addresses that agents had before a change of their e-mail, for the day in which these still get mail. */
export class FormerEmails1790000000097 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE agent_former_emails (
        agent_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        email VARCHAR(254) NOT NULL,
        changed_at DATETIME(3) NOT NULL,
        PRIMARY KEY (agent_id),
        KEY agent_former_emails_by_age (changed_at),
        CONSTRAINT agent_former_emails_agent FOREIGN KEY (agent_id) REFERENCES agents (id) ON DELETE CASCADE,
        CONSTRAINT agent_former_emails_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE agent_former_emails')
  }
}
