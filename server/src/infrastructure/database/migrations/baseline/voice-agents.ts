import { asciiText, id, word } from './columns.js'

/** Voice agents, their versions, tools, and sessions in calls; providers of their models. */
export const voiceAgents: readonly string[] = [
  `
    CREATE TABLE ai_providers (
      id ${id} NOT NULL PRIMARY KEY,
      name ${word(64)} NOT NULL,
      kind ${word(16)} NOT NULL,
      settings JSON NOT NULL,
      secrets ${asciiText} NOT NULL,
      models JSON NOT NULL,
      voices JSON NOT NULL,
      price_per_minute DECIMAL(14,6) NOT NULL,
      is_active BOOLEAN NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      UNIQUE KEY ai_providers_name (name),
      KEY ai_providers_by_created_at (created_at, id)
    )`,
  // Keys of workspaces at a provider.
  `
    CREATE TABLE ai_provider_keys (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      provider_id ${id} NOT NULL,
      api_key ${asciiText} NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      UNIQUE KEY ai_provider_keys_one (workspace_id, provider_id),
      KEY ai_provider_keys_provider (provider_id),
      CONSTRAINT ai_provider_keys_provider FOREIGN KEY (provider_id) REFERENCES ai_providers (id) ON DELETE CASCADE,
      CONSTRAINT ai_provider_keys_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE voice_agents (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      name VARCHAR(30) NOT NULL,
      published_version INT UNSIGNED NULL,
      last_version INT UNSIGNED NOT NULL DEFAULT 0,
      conversation VARCHAR(255) NULL,
      response_id VARCHAR(255) NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      UNIQUE KEY voice_agents_id (workspace_id, id),
      KEY voice_agents_by_created_at (workspace_id, created_at, id),
      KEY voice_agents_by_name (workspace_id, name, id),
      CONSTRAINT voice_agents_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // A version. NULL for turn detection is as the provider does it.
  `
    CREATE TABLE voice_agent_settings (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      voice_agent_id ${id} NOT NULL,
      version INT UNSIGNED NOT NULL,
      model_id VARCHAR(100) NOT NULL,
      voice_id VARCHAR(100) NULL,
      greeting_message VARCHAR(250) NOT NULL,
      instructions TEXT NOT NULL,
      temperature DECIMAL(3,2) NOT NULL,
      enable_noise_reduction BOOLEAN NOT NULL,
      turn_detection ${word(16)} NULL,
      turn_eagerness ${word(16)} NULL,
      turn_threshold DECIMAL(3,2) NULL,
      turn_silence_ms SMALLINT UNSIGNED NULL,
      interruption_ms SMALLINT UNSIGNED NULL,
      ignore_backchannels BOOLEAN NOT NULL DEFAULT TRUE,
      language ${word(35)} NULL,
      enable_dtmf BOOLEAN NOT NULL DEFAULT TRUE,
      tool_delay_message VARCHAR(250) NULL,
      max_call_duration_seconds SMALLINT UNSIGNED NOT NULL,
      tools_id JSON NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      UNIQUE KEY voice_agent_settings_version (workspace_id, voice_agent_id, version),
      CONSTRAINT voice_agent_settings_agent
        FOREIGN KEY (workspace_id, voice_agent_id) REFERENCES voice_agents (workspace_id, id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE voice_agent_tools (
      id ${id} NOT NULL PRIMARY KEY,
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
      is_active BOOLEAN NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      UNIQUE KEY voice_agent_tools_name (workspace_id, voice_agent_id, name),
      CONSTRAINT voice_agent_tools_agent
        FOREIGN KEY (workspace_id, voice_agent_id) REFERENCES voice_agents (workspace_id, id) ON DELETE CASCADE
    )`,
]
