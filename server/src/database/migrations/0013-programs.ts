import type { MigrationInterface, QueryRunner } from 'typeorm'

const id = (length = 40) => `VARCHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin`

/**
 * What runs on a call: a script or a version of a flow, and on which of its legs. Versions of flows never change, so
 * that a call is not disturbed by the editing of its flow; they outlive their flow while a call runs them.
 */
export class Programs1790000000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE call_flow_versions (
        id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
        workspace_id ${id()} NOT NULL,
        call_flow_id ${id()} NOT NULL,
        nodes JSON NOT NULL,
        created_at DATETIME(3) NOT NULL,
        KEY call_flow_versions_by_flow (call_flow_id, id),
        CONSTRAINT call_flow_versions_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      INSERT INTO call_flow_versions (workspace_id, call_flow_id, nodes, created_at)
      SELECT workspace_id, id, nodes, updated_at FROM call_flows ORDER BY id`)
    await runner.query(`
      ALTER TABLE calls
        ADD COLUMN line ${id(8)} NULL DEFAULT 'called',
        ADD COLUMN program ${id(8)} NOT NULL DEFAULT 'script',
        ADD COLUMN call_flow_id ${id()} NULL,
        ADD COLUMN call_flow_version_id BIGINT UNSIGNED NULL,
        ADD COLUMN script_node ${id(64)} NULL,
        ADD COLUMN pending_script JSON NULL`)
    await runner.query('UPDATE calls SET line = NULL WHERE sip_account_id IS NOT NULL')
    await runner.query('ALTER TABLE call_events ADD COLUMN details JSON NULL')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE call_events DROP COLUMN details')
    await runner.query(`
      ALTER TABLE calls DROP COLUMN line, DROP COLUMN program, DROP COLUMN call_flow_id,
        DROP COLUMN call_flow_version_id, DROP COLUMN script_node, DROP COLUMN pending_script`)
    await runner.query('DROP TABLE call_flow_versions')
  }
}
