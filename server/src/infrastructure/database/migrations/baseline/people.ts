import { asciiText, exact, fixed, id, word } from './columns.js'

/** Agents, their sessions and devices, and teams. Keys between tables of a workspace hold the workspace, too: a row can name
 * no row of another workspace, whatever the code does. Indexes of long lists end with what is searched, so that a search
 * reads nothing else. */
export const people: readonly string[] = [
  // An agent has a SIP domain of its own (`domain`); `realm` is the one of its digests and the old one, where its phones
  // register as long as no SIP account has the name. Hashes are NULL until the password is set.
  `
    CREATE TABLE agents (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      username ${word(30)} NOT NULL,
      display_name VARCHAR(50) NOT NULL,
      email VARCHAR(254) NULL,
      email_key ${exact(254)} AS (LOWER(email)) STORED,
      avatar VARCHAR(2048) NULL,
      avatar_file ${id} NULL,
      role ${word(16)} NOT NULL,
      is_admin BOOLEAN NOT NULL DEFAULT FALSE,
      is_active BOOLEAN NOT NULL,
      country_code ${fixed(2)} NOT NULL,
      password_hash ${word(255)} NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      domain ${word(190)} NULL,
      realm ${word(190)} NULL,
      ha1 ${fixed(32)} NULL,
      ha1b ${fixed(32)} NULL,
      ha1_sha256 ${fixed(64)} NULL,
      ha1b_sha256 ${fixed(64)} NULL,
      address_ha1b ${fixed(32)} NULL,
      address_ha1b_sha256 ${fixed(64)} NULL,
      avatar_bytes INT UNSIGNED NOT NULL DEFAULT 0,
      UNIQUE KEY agents_id (workspace_id, id),
      UNIQUE KEY agents_username (workspace_id, username),
      UNIQUE KEY agents_email (workspace_id, email_key),
      UNIQUE KEY agents_avatar_file (avatar_file),
      UNIQUE KEY agents_address (username, domain),
      UNIQUE KEY agents_realm (username, realm),
      KEY agents_by_created_at (workspace_id, created_at, id, display_name, email, username, country_code),
      KEY agents_by_display_name (workspace_id, display_name, id, email, username),
      KEY agents_by_email (workspace_id, email, id, display_name, username),
      KEY agents_by_is_active (workspace_id, is_active, id),
      CONSTRAINT agents_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // Addresses from before a change of the e-mail, which still get mail for a day.
  `
    CREATE TABLE agent_former_emails (
      agent_id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      email VARCHAR(254) NOT NULL,
      changed_at DATETIME(3) NOT NULL,
      KEY agent_former_emails_by_age (changed_at),
      KEY agent_former_emails_workspace (workspace_id),
      CONSTRAINT agent_former_emails_agent FOREIGN KEY (agent_id) REFERENCES agents (id) ON DELETE CASCADE,
      CONSTRAINT agent_former_emails_workspace
        FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // Devices on which an agent has logged in.
  `
    CREATE TABLE agent_known_devices (
      agent_id ${id} NOT NULL,
      workspace_id ${id} NOT NULL,
      device ${fixed(64)} NOT NULL,
      used_at DATETIME(3) NOT NULL,
      PRIMARY KEY (agent_id, device),
      KEY agent_known_devices_by_age (used_at),
      KEY agent_known_devices_workspace (workspace_id),
      CONSTRAINT agent_known_devices_agent FOREIGN KEY (agent_id) REFERENCES agents (id) ON DELETE CASCADE,
      CONSTRAINT agent_known_devices_workspace
        FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // A refresh may be repeated with its key (`used_with`), as when the answer was lost.
  `
    CREATE TABLE agent_sessions (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      agent_id ${id} NOT NULL,
      device_id ${exact(128)} NOT NULL,
      refresh_id ${id} NOT NULL,
      used_refresh_id ${id} NULL,
      used_with ${fixed(64)} NULL,
      created_at DATETIME(3) NOT NULL,
      refreshed_at DATETIME(3) NOT NULL,
      expires_at DATETIME(3) NOT NULL,
      KEY agent_sessions_by_agent (workspace_id, agent_id, refreshed_at),
      KEY agent_sessions_by_end (expires_at),
      CONSTRAINT agent_sessions_agent
        FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id) ON DELETE CASCADE
    )`,
  // Which agent is being offered a call by which cell.
  `
    CREATE TABLE agent_claims (
      agent_id ${id} NOT NULL PRIMARY KEY,
      cell ${word(32)} NOT NULL,
      call_id ${id} NOT NULL,
      claimed_at DATETIME(3) NOT NULL,
      KEY agent_claims_of_cells (cell)
    )`,
  // States that agents chose, or that were chosen for them.
  `
    CREATE TABLE chosen_states (
      workspace_id ${id} NOT NULL,
      agent_id ${id} NOT NULL,
      state ${word(16)} NOT NULL,
      chosen_by ${word(40)} NOT NULL,
      chosen_at DATETIME(3) NOT NULL,
      PRIMARY KEY (workspace_id, agent_id),
      CONSTRAINT chosen_states_agent
        FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE teams (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      title VARCHAR(36) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      last_offered_member ${id} NULL,
      UNIQUE KEY teams_id (workspace_id, id),
      UNIQUE KEY teams_title (workspace_id, title),
      KEY teams_by_created_at (workspace_id, created_at, id),
      CONSTRAINT teams_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE team_members (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      team_id ${id} NOT NULL,
      agent_id ${id} NOT NULL,
      created_at DATETIME(3) NOT NULL,
      UNIQUE KEY team_members_pair (team_id, agent_id),
      KEY team_members_by_agent (agent_id, created_at, id),
      KEY team_members_team (workspace_id, team_id),
      KEY team_members_agent (workspace_id, agent_id),
      CONSTRAINT team_members_agent
        FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id) ON DELETE CASCADE,
      CONSTRAINT team_members_team
        FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, id) ON DELETE CASCADE
    )`,
  // What wakes customers' apps, and why a push service refused it last.
  `
    CREATE TABLE push_credentials (
      id ${id} NOT NULL PRIMARY KEY,
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
      private_key ${asciiText} NOT NULL,
      last_error VARCHAR(255) NULL,
      last_error_at DATETIME(3) NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      UNIQUE KEY push_credentials_app (workspace_id, api_key_sid, platform),
      KEY push_credentials_by_created_at (workspace_id, created_at, id),
      KEY push_credentials_by_name (workspace_id, name, id),
      CONSTRAINT push_credentials_api_key
        FOREIGN KEY (workspace_id, api_key_sid) REFERENCES api_keys (workspace_id, sid)
    )`,
  // Devices that incoming calls are pushed to.
  `
    CREATE TABLE device_registrations (
      id ${id} NOT NULL PRIMARY KEY,
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
      KEY device_registrations_by_api_key (workspace_id, api_key_sid),
      CONSTRAINT device_registrations_by_agent
        FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id) ON DELETE CASCADE,
      CONSTRAINT device_registrations_by_api_key
        FOREIGN KEY (workspace_id, api_key_sid) REFERENCES api_keys (workspace_id, sid) ON DELETE CASCADE
    )`,
]
