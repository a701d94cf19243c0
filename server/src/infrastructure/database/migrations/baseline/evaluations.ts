import { id, word } from './columns.js'

/** Conversations in which instructions are written, and tests of voice agents by written callers. */
export const evaluations: readonly string[] = [
  `
    CREATE TABLE instruction_conversations (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      created_at DATETIME(3) NOT NULL,
      used_at DATETIME(3) NOT NULL,
      KEY instruction_conversations_by_use (workspace_id, used_at, id),
      KEY instruction_conversations_by_age (used_at),
      CONSTRAINT instruction_conversations_workspace
        FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE instruction_responses (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      conversation_id ${id} NOT NULL,
      follows_id ${id} NULL,
      prompt TEXT NOT NULL,
      instructions TEXT NOT NULL,
      greeting_message VARCHAR(250) NULL,
      created_at DATETIME(3) NOT NULL,
      KEY instruction_responses_by_conversation (conversation_id, id),
      KEY instruction_responses_by_workspace (workspace_id, id),
      CONSTRAINT instruction_responses_conversation
        FOREIGN KEY (conversation_id) REFERENCES instruction_conversations (id) ON DELETE CASCADE
    )`,
  // What customers write is stored as text: JSON columns refuse some of what JSON can say.
  `
    CREATE TABLE voice_agent_evaluation_scripts (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      voice_agent_id ${id} NOT NULL,
      name VARCHAR(60) NOT NULL,
      turns MEDIUMTEXT NOT NULL,
      expect MEDIUMTEXT NOT NULL,
      tool_answers MEDIUMTEXT NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      UNIQUE KEY voice_agent_evaluation_scripts_name (voice_agent_id, name),
      KEY voice_agent_evaluation_scripts_by_agent (workspace_id, voice_agent_id, id),
      CONSTRAINT voice_agent_evaluation_scripts_agent
        FOREIGN KEY (workspace_id, voice_agent_id) REFERENCES voice_agents (workspace_id, id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE voice_agent_evaluations (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      voice_agent_id ${id} NOT NULL,
      version INT UNSIGNED NOT NULL,
      settings MEDIUMTEXT NOT NULL,
      settings_hash ${word(64)} NOT NULL,
      scripts LONGTEXT NOT NULL,
      status ${word(16)} NOT NULL,
      error VARCHAR(500) NULL,
      total INT UNSIGNED NOT NULL,
      passed INT UNSIGNED NOT NULL,
      created_at DATETIME(3) NOT NULL,
      ended_at DATETIME(3) NULL,
      KEY voice_agent_evaluations_by_agent (workspace_id, voice_agent_id, created_at, id),
      KEY voice_agent_evaluations_by_status (workspace_id, status),
      CONSTRAINT voice_agent_evaluations_agent
        FOREIGN KEY (workspace_id, voice_agent_id) REFERENCES voice_agents (workspace_id, id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE voice_agent_evaluation_results (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      evaluation_id ${id} NOT NULL,
      position INT UNSIGNED NOT NULL,
      passed BOOLEAN NOT NULL,
      problem VARCHAR(500) NULL,
      verdicts MEDIUMTEXT NOT NULL,
      exchanges MEDIUMTEXT NOT NULL,
      duration_ms INT UNSIGNED NOT NULL,
      usage_counts JSON NOT NULL,
      created_at DATETIME(3) NOT NULL,
      UNIQUE KEY voice_agent_evaluation_results_position (evaluation_id, position),
      KEY voice_agent_evaluation_results_by_workspace (workspace_id, id),
      CONSTRAINT voice_agent_evaluation_results_evaluation
        FOREIGN KEY (evaluation_id) REFERENCES voice_agent_evaluations (id) ON DELETE CASCADE
    )`,
]
