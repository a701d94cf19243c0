import type { MigrationInterface, QueryRunner } from 'typeorm'

const word = (length: number) => `VARCHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin`
const id = word(40)

/** Devices that pushes ring, and why a push service refused a credential last. */
export class Devices1790000000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE device_registrations (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        agent_id ${id} NULL,
        client_sub ${word(64)} NULL,
        device_id ${word(128)} NOT NULL,
        platform ${word(8)} NOT NULL,
        api_key_sid ${id} NULL,
        voip_token ${word(1024)} NULL,
        notification_token ${word(1024)} NULL,
        notification_provider ${word(8)} NULL,
        os_version VARCHAR(64) NULL,
        app_version VARCHAR(64) NULL,
        device_model VARCHAR(64) NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        UNIQUE KEY device_registrations_agent (workspace_id, agent_id, device_id),
        UNIQUE KEY device_registrations_client (workspace_id, client_sub, device_id),
        UNIQUE KEY device_registrations_voip_token (workspace_id, voip_token),
        UNIQUE KEY device_registrations_notification_token (workspace_id, notification_token),
        KEY device_registrations_by_updated_at (updated_at),
        CONSTRAINT device_registrations_by_agent FOREIGN KEY (workspace_id, agent_id)
          REFERENCES agents (workspace_id, id) ON DELETE CASCADE,
        CONSTRAINT device_registrations_by_api_key FOREIGN KEY (workspace_id, api_key_sid)
          REFERENCES api_keys (workspace_id, sid) ON DELETE CASCADE
      )`)
    await runner.query(`
      ALTER TABLE push_credentials
        ADD COLUMN last_error VARCHAR(255) NULL AFTER private_key,
        ADD COLUMN last_error_at DATETIME(3) NULL AFTER last_error`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE push_credentials DROP COLUMN last_error, DROP COLUMN last_error_at')
    await runner.query('DROP TABLE device_registrations')
  }
}
