import type { MigrationInterface, QueryRunner } from 'typeorm'

const id = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin'

/** Log-ins of agents; and clients of customers' apps as actors in the audit log, whose names are longer than ids. */
export class AgentSessions1790000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE agent_sessions (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        agent_id ${id} NOT NULL,
        device_id VARCHAR(128) COLLATE utf8mb4_bin NOT NULL,
        refresh_id ${id} NOT NULL,
        created_at DATETIME(3) NOT NULL,
        refreshed_at DATETIME(3) NOT NULL,
        expires_at DATETIME(3) NOT NULL,
        KEY agent_sessions_by_agent (workspace_id, agent_id, refreshed_at),
        KEY agent_sessions_by_end (expires_at),
        CONSTRAINT agent_sessions_agent FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id) ON DELETE CASCADE
      )`)
    await runner.query(
      'ALTER TABLE audit_log MODIFY actor_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL',
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE audit_log MODIFY actor_id ${id} NULL`)
    await runner.query('DROP TABLE agent_sessions')
  }
}
