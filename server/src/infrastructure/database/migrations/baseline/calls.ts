import { asciiText, fixed, id, word } from './columns.js'

/** Calls, their legs and timeline, and what lives with them. */
export const calls: readonly string[] = [
  // `calls_of_workspaces` and its like serve lists: calls are filtered, sorted and summed up in the index.
  `
    CREATE TABLE calls (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      direction ${word(8)} NOT NULL,
      status ${word(16)} NOT NULL,
      from_number VARCHAR(64) NOT NULL,
      from_name VARCHAR(64) NOT NULL,
      to_number VARCHAR(80) NOT NULL,
      to_name VARCHAR(80) NOT NULL,
      phone_number_id ${id} NULL,
      max_duration INT UNSIGNED NOT NULL,
      script JSON NOT NULL,
      script_revision INT UNSIGNED NOT NULL DEFAULT 0,
      live BOOLEAN DEFAULT TRUE NULL,
      created_at DATETIME(3) NOT NULL,
      answered_at DATETIME(3) NULL,
      ended_at DATETIME(3) NULL,
      duration INT UNSIGNED NOT NULL DEFAULT 0,
      cost DECIMAL(14,6) NOT NULL DEFAULT 0.000000,
      hangup_cause ${word(64)} NULL,
      sip_code SMALLINT UNSIGNED NULL,
      sip_account_id ${id} NULL,
      line ${word(8)} DEFAULT 'called' NULL,
      program ${word(8)} NOT NULL DEFAULT 'script',
      call_flow_id ${id} NULL,
      call_flow_version_id BIGINT UNSIGNED NULL,
      script_node ${word(64)} NULL,
      pending_script JSON NULL,
      agent_id ${id} NULL,
      client_sub ${word(64)} NULL,
      is_video BOOLEAN NOT NULL DEFAULT FALSE,
      credit_held DECIMAL(14,6) NOT NULL DEFAULT 0.000000,
      cell ${word(32)} NOT NULL DEFAULT 'one',
      caller_verification JSON NULL,
      guard TINYINT NOT NULL DEFAULT 0,
      diversions JSON NULL,
      KEY calls_live_of_workspace (live, workspace_id),
      KEY calls_history (workspace_id, created_at, id, direction, status, duration, cost, from_number, to_number),
      CONSTRAINT calls_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // A leg is one channel of the switch, with the rate that it began with. `client:` and a `sub` of 64 characters are 71.
  `
    CREATE TABLE call_legs (
      id ${id} NOT NULL PRIMARY KEY,
      call_id ${id} NOT NULL,
      workspace_id ${id} NOT NULL,
      channel_id ${fixed(36)} NOT NULL,
      role ${word(16)} NOT NULL,
      number VARCHAR(80) NOT NULL,
      gateway_id ${id} NULL,
      uri VARCHAR(255) NOT NULL,
      fee_per_minute DECIMAL(14,6) NOT NULL,
      created_at DATETIME(3) NOT NULL,
      answered_at DATETIME(3) NULL,
      ended_at DATETIME(3) NULL,
      hangup_cause ${word(64)} NULL,
      sip_code SMALLINT UNSIGNED NULL,
      sip_account_id ${id} NULL,
      agent_id ${id} NULL,
      voice_agent_id ${id} NULL,
      sip_call_id ${word(255)} NULL,
      connection_fee DECIMAL(14,6) NOT NULL DEFAULT 0.000000,
      minimum_seconds SMALLINT UNSIGNED NOT NULL DEFAULT 1,
      increment_seconds SMALLINT UNSIGNED NOT NULL DEFAULT 1,
      rate_deck_id ${id} NULL,
      rate_prefix ${word(20)} NULL,
      charged_seconds INT UNSIGNED NULL,
      cost DECIMAL(14,6) NULL,
      UNIQUE KEY call_legs_channel (channel_id),
      KEY call_legs_by_call (call_id, id),
      KEY call_legs_by_agent (workspace_id, agent_id, call_id),
      CONSTRAINT call_legs_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
    )`,
  // The timeline.
  `
    CREATE TABLE call_events (
      id ${id} NOT NULL PRIMARY KEY,
      call_id ${id} NOT NULL,
      workspace_id ${id} NOT NULL,
      event ${word(32)} NOT NULL,
      direction ${word(8)} NOT NULL,
      sip_code SMALLINT UNSIGNED NULL,
      to_party JSON NULL,
      hangup_cause ${word(64)} NULL,
      created_at DATETIME(3) NOT NULL,
      details JSON NULL,
      KEY call_events_by_call (call_id, created_at, id),
      CONSTRAINT call_events_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
    )`,
  // Background streams, from which the next process recovers them.
  `
    CREATE TABLE call_streams (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      call_id ${id} NOT NULL,
      settings ${asciiText} NOT NULL,
      is_awaited BOOLEAN NOT NULL,
      channel_id ${id} NULL,
      frames_sent INT UNSIGNED NOT NULL DEFAULT 0,
      frames_dropped INT UNSIGNED NOT NULL DEFAULT 0,
      created_at DATETIME(3) NOT NULL,
      ended_at DATETIME(3) NULL,
      end_reason ${word(40)} NULL,
      KEY call_streams_by_call (call_id, created_at),
      CONSTRAINT call_streams_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
    )`,
  // How many calls of a workspace are live: counting rows would make calls that begin and end wait for each other.
  `
    CREATE TABLE live_call_counts (
      workspace_id ${id} NOT NULL PRIMARY KEY,
      live_calls INT UNSIGNED NOT NULL,
      CONSTRAINT live_call_counts_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // Callers who wait for a team, so that a restart leaves each at its position.
  `
    CREATE TABLE queue_entries (
      call_id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      team_id ${id} NOT NULL,
      entered_at DATETIME(3) NOT NULL,
      is_offered BOOLEAN NOT NULL DEFAULT FALSE,
      KEY queue_entries_by_team (workspace_id, team_id, entered_at, call_id),
      CONSTRAINT queue_entries_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE,
      CONSTRAINT queue_entries_team
        FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, id) ON DELETE CASCADE
    )`,
  // Teams whose agents took part in a call, as they were when it ended: a team's history is read from one index and stays
  // with the team when an agent leaves.
  `
    CREATE TABLE team_calls (
      workspace_id ${id} NOT NULL,
      team_id ${id} NOT NULL,
      call_id ${id} NOT NULL,
      PRIMARY KEY (workspace_id, team_id, call_id),
      KEY team_calls_by_call (call_id, team_id),
      CONSTRAINT team_calls_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE,
      CONSTRAINT team_calls_team
        FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, id) ON DELETE CASCADE
    )`,
  // With the settings as they were: changes of a version are for later calls.
  `
    CREATE TABLE voice_agent_sessions (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      call_id ${id} NOT NULL,
      leg_id ${id} NOT NULL,
      voice_agent_id ${id} NOT NULL,
      version INT UNSIGNED NOT NULL,
      provider VARCHAR(100) NOT NULL,
      model_id VARCHAR(100) NOT NULL,
      settings JSON NOT NULL,
      started_at DATETIME(3) NOT NULL,
      ended_at DATETIME(3) NULL,
      end_reason ${word(32)} NULL,
      usage_counts JSON NULL,
      cost DECIMAL(14,6) NOT NULL DEFAULT 0.000000,
      KEY voice_agent_sessions_by_call (call_id, started_at),
      KEY voice_agent_sessions_by_agent (workspace_id, voice_agent_id, started_at),
      KEY voice_agent_sessions_by_leg (leg_id),
      KEY voice_agent_sessions_by_end (ended_at, call_id),
      CONSTRAINT voice_agent_sessions_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE call_dialogue (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      call_id ${id} NOT NULL,
      session_id ${id} NOT NULL,
      position INT UNSIGNED NOT NULL,
      speaker ${word(16)} NOT NULL,
      text TEXT NOT NULL,
      is_interrupted BOOLEAN NOT NULL DEFAULT FALSE,
      created_at DATETIME(3) NOT NULL,
      UNIQUE KEY call_dialogue_by_call (call_id, position),
      CONSTRAINT call_dialogue_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
    )`,
]
