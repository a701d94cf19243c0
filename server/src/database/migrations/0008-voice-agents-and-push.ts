import type { MigrationInterface, QueryRunner } from 'typeorm'

const word = (length: number) => `VARCHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin`
const id = word(40)

/** Versions and tools of voice agents, and the credentials that wake customers' apps. */
export class VoiceAgentsAndPush1790000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE voice_agents
        ADD COLUMN last_version INT UNSIGNED NOT NULL DEFAULT 0 AFTER published_version,
        ADD COLUMN conversation VARCHAR(255) NULL AFTER last_version,
        ADD COLUMN response_id VARCHAR(255) NULL AFTER conversation`)
    await runner.query(`
      CREATE TABLE voice_agent_settings (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        voice_agent_id ${id} NOT NULL,
        version INT UNSIGNED NOT NULL,
        model_id VARCHAR(100) NOT NULL,
        voice_id VARCHAR(100) NULL,
        greeting_message VARCHAR(250) NOT NULL,
        instructions TEXT NOT NULL,
        temperature DECIMAL(3,2) NOT NULL,
        enable_noise_reduction TINYINT(1) NOT NULL,
        max_call_duration_seconds SMALLINT UNSIGNED NOT NULL,
        tools_id JSON NOT NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        UNIQUE KEY voice_agent_settings_version (workspace_id, voice_agent_id, version),
        CONSTRAINT voice_agent_settings_agent FOREIGN KEY (workspace_id, voice_agent_id)
          REFERENCES voice_agents (workspace_id, id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE voice_agent_tools (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        voice_agent_id ${id} NOT NULL,
        name ${word(64)} NOT NULL,
        description VARCHAR(1000) NOT NULL,
        tool_type ${word(8)} NOT NULL,
        webhook_url VARCHAR(2048) NULL,
        webhook_method ${word(8)} NOT NULL,
        webhook_headers MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NULL,
        parameters JSON NOT NULL,
        required_params JSON NOT NULL,
        is_active TINYINT(1) NOT NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        UNIQUE KEY voice_agent_tools_name (workspace_id, voice_agent_id, name),
        CONSTRAINT voice_agent_tools_agent FOREIGN KEY (workspace_id, voice_agent_id)
          REFERENCES voice_agents (workspace_id, id) ON DELETE CASCADE
      )`)
    await runner.query('ALTER TABLE api_keys ADD UNIQUE KEY api_keys_sid (workspace_id, sid)')
    await runner.query(`
      CREATE TABLE push_credentials (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        name VARCHAR(64) NOT NULL,
        api_key_sid ${id} NOT NULL,
        platform ${word(8)} NOT NULL,
        ios_key_id ${word(10)} NULL,
        ios_team_id ${word(10)} NULL,
        ios_bundle_id ${word(155)} NULL,
        ios_environment ${word(10)} NULL,
        android_project_id VARCHAR(128) NULL,
        android_client_email VARCHAR(254) NULL,
        android_package_name ${word(255)} NULL,
        key_fingerprint ${word(64)} NOT NULL,
        private_key TEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        UNIQUE KEY push_credentials_app (workspace_id, api_key_sid, platform),
        KEY push_credentials_by_created_at (workspace_id, created_at, id),
        KEY push_credentials_by_name (workspace_id, name, id),
        CONSTRAINT push_credentials_api_key FOREIGN KEY (workspace_id, api_key_sid)
          REFERENCES api_keys (workspace_id, sid)
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE push_credentials, voice_agent_tools, voice_agent_settings')
    await runner.query('ALTER TABLE api_keys DROP KEY api_keys_sid')
    await runner.query(
      'ALTER TABLE voice_agents DROP COLUMN last_version, DROP COLUMN conversation, DROP COLUMN response_id',
    )
  }
}
