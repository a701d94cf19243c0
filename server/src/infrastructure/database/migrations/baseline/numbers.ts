import { fixed, id, word } from './columns.js'

/** Phone numbers, SIP accounts and extensions. */
export const numbers: readonly string[] = [
  // `national_number` is the number without its country code: the edge finds numbers by it that a carrier writes so.
  `
    CREATE TABLE phone_numbers (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      title VARCHAR(36) NOT NULL,
      number ${word(20)} NOT NULL,
      country_code ${fixed(2)} NOT NULL,
      dial_code ${word(4)} NOT NULL,
      status ${word(8)} NOT NULL,
      type ${word(16)} NOT NULL,
      capabilities JSON NOT NULL,
      provider ${word(16)} NOT NULL,
      enable_outbound BOOLEAN NOT NULL,
      inbound_acl_id ${id} NOT NULL,
      outbound_gateway_id ${id} NULL,
      call_flow_id ${id} NULL,
      record_outbound BOOLEAN NOT NULL,
      fee_per_month DECIMAL(14,6) NOT NULL,
      fee_per_mins_call DECIMAL(14,6) NOT NULL,
      fee_per_segment DECIMAL(14,6) NOT NULL DEFAULT 0.010000,
      fee_per_mms DECIMAL(14,6) NOT NULL DEFAULT 0.030000,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      is_verified BOOLEAN NOT NULL DEFAULT FALSE,
      verified_by ${word(16)} NULL,
      verified_at DATETIME(3) NULL,
      national_number ${word(20)} AS (SUBSTRING(number, CHAR_LENGTH(dial_code) + 1)) STORED,
      UNIQUE KEY phone_numbers_number (workspace_id, number),
      UNIQUE KEY phone_numbers_id (workspace_id, id),
      KEY phone_numbers_by_created_at (workspace_id, created_at, id),
      KEY phone_numbers_by_title (workspace_id, title, id),
      KEY phone_numbers_acl (inbound_acl_id),
      KEY phone_numbers_gateway (outbound_gateway_id),
      KEY phone_numbers_call_flow (workspace_id, call_flow_id),
      KEY phone_numbers_by_number (number),
      KEY phone_numbers_national (national_number),
      CONSTRAINT phone_numbers_acl FOREIGN KEY (inbound_acl_id) REFERENCES inbound_acls (id),
      CONSTRAINT phone_numbers_call_flow
        FOREIGN KEY (workspace_id, call_flow_id) REFERENCES call_flows (workspace_id, id),
      CONSTRAINT phone_numbers_gateway FOREIGN KEY (outbound_gateway_id) REFERENCES outbound_gateways (id),
      CONSTRAINT phone_numbers_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE phone_number_teams (
      workspace_id ${id} NOT NULL,
      phone_number_id ${id} NOT NULL,
      team_id ${id} NOT NULL,
      position SMALLINT UNSIGNED NOT NULL,
      PRIMARY KEY (phone_number_id, team_id),
      KEY phone_number_teams_number (workspace_id, phone_number_id),
      KEY phone_number_teams_team (workspace_id, team_id),
      CONSTRAINT phone_number_teams_number
        FOREIGN KEY (workspace_id, phone_number_id) REFERENCES phone_numbers (workspace_id, id) ON DELETE CASCADE,
      CONSTRAINT phone_number_teams_team FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, id)
    )`,
  // Codes that a call or a text brings to a number, to verify whose it is.
  `
    CREATE TABLE number_verifications (
      phone_number_id ${id} NOT NULL PRIMARY KEY,
      channel ${word(16)} NOT NULL,
      salt VARBINARY(16) NOT NULL,
      code_hash VARBINARY(32) NOT NULL,
      attempts_left TINYINT UNSIGNED NOT NULL,
      created_at DATETIME(3) NOT NULL,
      expires_at DATETIME(3) NOT NULL,
      KEY number_verifications_by_expiry (expires_at),
      CONSTRAINT number_verifications_number
        FOREIGN KEY (phone_number_id) REFERENCES phone_numbers (id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE number_code_counts (
      scope ${word(64)} NOT NULL,
      period_began DATETIME(3) NOT NULL,
      codes INT UNSIGNED NOT NULL,
      PRIMARY KEY (scope, period_began),
      KEY number_code_counts_by_period (period_began)
    )`,
  // Names and short codes as sender of texts. Each belongs to one number of the platform, whatever its case.
  `
    CREATE TABLE number_originators (
      originator VARCHAR(11) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      phone_number_id ${id} NOT NULL,
      created_at DATETIME(3) NOT NULL,
      KEY number_originators_number (workspace_id, phone_number_id),
      CONSTRAINT number_originators_number
        FOREIGN KEY (workspace_id, phone_number_id) REFERENCES phone_numbers (workspace_id, id) ON DELETE CASCADE
    )`,
  // What a number cost that its workspace has given up: it costs the same when it is connected again.
  `
    CREATE TABLE kept_number_fees (
      workspace_id ${id} NOT NULL,
      number ${word(20)} NOT NULL,
      fee_per_month DECIMAL(14,6) NOT NULL,
      fee_per_mins_call DECIMAL(14,6) NOT NULL,
      fee_per_segment DECIMAL(14,6) NOT NULL,
      fee_per_mms DECIMAL(14,6) NOT NULL,
      PRIMARY KEY (workspace_id, number),
      CONSTRAINT kept_number_fees_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE sip_accounts (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      title VARCHAR(36) NOT NULL,
      username ${word(30)} NOT NULL,
      domain ${word(190)} NOT NULL,
      ha1 ${fixed(32)} NOT NULL,
      ha1b ${fixed(32)} NOT NULL,
      ha1_sha256 ${fixed(64)} NOT NULL,
      ha1b_sha256 ${fixed(64)} NOT NULL,
      outbound_caller_id ${word(20)} NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      max_concurrent_calls INT UNSIGNED NULL,
      UNIQUE KEY sip_accounts_id (workspace_id, id),
      UNIQUE KEY sip_accounts_username (workspace_id, username),
      UNIQUE KEY sip_accounts_address (username, domain),
      KEY sip_accounts_by_created_at (workspace_id, created_at, id),
      KEY sip_accounts_by_title (workspace_id, title, id),
      KEY sip_accounts_caller_id (workspace_id, outbound_caller_id),
      CONSTRAINT sip_accounts_caller_id
        FOREIGN KEY (workspace_id, outbound_caller_id) REFERENCES phone_numbers (workspace_id, number),
      CONSTRAINT sip_accounts_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // No foreign keys to destinations: these can be deleted although extensions refer to them.
  `
    CREATE TABLE extensions (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      extension_number ${word(6)} NOT NULL,
      title VARCHAR(36) NOT NULL,
      destination ${word(16)} NOT NULL,
      agent_id ${id} NULL,
      team_id ${id} NULL,
      sip_account_id ${id} NULL,
      voice_agent_id ${id} NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      UNIQUE KEY extensions_number (workspace_id, extension_number),
      UNIQUE KEY extensions_id (workspace_id, id),
      KEY extensions_by_created_at (workspace_id, created_at, id),
      KEY extensions_by_title (workspace_id, title, id),
      KEY extensions_agent (workspace_id, agent_id),
      KEY extensions_team (workspace_id, team_id),
      KEY extensions_sip_account (workspace_id, sip_account_id),
      KEY extensions_voice_agent (workspace_id, voice_agent_id),
      CONSTRAINT extensions_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
]
