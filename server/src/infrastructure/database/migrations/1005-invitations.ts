import type { MigrationInterface, QueryRunner } from 'typeorm'
import { id } from './baseline/columns.js'

/** Links at which agents set their first password, and the operator's entries into workspaces. */
export class Invitations1790000001005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of tables) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE IF EXISTS operator_entries')
    await runner.query('DROP TABLE IF EXISTS agent_invitations')
  }
}

const tables: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS agent_invitations (
      agent_id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      id ${id} NOT NULL,
      created_at DATETIME(3) NOT NULL,
      expires_at DATETIME(3) NOT NULL,
      KEY agent_invitations_by_age (expires_at),
      KEY agent_invitations_workspace (workspace_id),
      CONSTRAINT agent_invitations_agent FOREIGN KEY (agent_id) REFERENCES agents (id) ON DELETE CASCADE,
      CONSTRAINT agent_invitations_workspace
        FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  `CREATE TABLE IF NOT EXISTS operator_entries (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      created_at DATETIME(3) NOT NULL,
      entered_at DATETIME(3) NULL,
      expires_at DATETIME(3) NOT NULL,
      KEY operator_entries_by_age (expires_at),
      KEY operator_entries_workspace (workspace_id),
      CONSTRAINT operator_entries_workspace
        FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
]
