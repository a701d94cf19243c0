import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The devices on which agents have logged in; those of the sessions that there are, to begin with. */
export class KnownDevices1790000000098 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE agent_known_devices (
        agent_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        device CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        used_at DATETIME(3) NOT NULL,
        PRIMARY KEY (agent_id, device),
        KEY agent_known_devices_by_age (used_at),
        CONSTRAINT agent_known_devices_agent FOREIGN KEY (agent_id) REFERENCES agents (id) ON DELETE CASCADE,
        CONSTRAINT agent_known_devices_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      INSERT IGNORE INTO agent_known_devices (agent_id, workspace_id, device, used_at)
      SELECT agent_id, workspace_id, SHA2(device_id, 256), refreshed_at FROM agent_sessions`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE agent_known_devices')
  }
}
