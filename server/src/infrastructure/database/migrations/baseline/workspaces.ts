import { fixed, id, word } from './columns.js'

/** Workspaces: customers of the operator, with their keys, audit log and erasures. */
export const workspaces: readonly string[] = [
  // `guard` is written (0 and 1 by turns) to stop changes of what depends on the row until a transaction ends: on a
  // cluster a lock holds on one node only, but of two transactions that write one row only one is committed.
  `
    CREATE TABLE workspaces (
      id ${id} NOT NULL PRIMARY KEY,
      title VARCHAR(64) NOT NULL,
      country_code ${fixed(2)} NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      recording_retention_days INT UNSIGNED NULL,
      max_concurrent_calls INT UNSIGNED NULL,
      max_calls_per_second INT UNSIGNED NULL,
      allowed_countries JSON NULL,
      call_recording BOOLEAN NOT NULL DEFAULT TRUE,
      call_internal_recording BOOLEAN NOT NULL DEFAULT TRUE,
      is_suspended TINYINT NOT NULL DEFAULT 0,
      rate_deck_id ${id} NULL,
      max_spend_per_hour DECIMAL(14,6) NULL,
      max_spend_per_day DECIMAL(14,6) NULL,
      call_signing BOOLEAN NOT NULL DEFAULT FALSE,
      guard TINYINT NOT NULL DEFAULT 0,
      leaders_only_own_teams BOOLEAN NOT NULL DEFAULT FALSE,
      max_storage_mb INT UNSIGNED NULL,
      allow_premium_rate BOOLEAN NOT NULL DEFAULT FALSE,
      transfers_by ${word(32)} NOT NULL DEFAULT 'any_agent',
      call_retention_days INT UNSIGNED NULL,
      message_retention_days INT UNSIGNED NULL,
      ledger_retention_days INT UNSIGNED NULL,
      webhook_delivery_retention_days INT UNSIGNED NULL,
      audit_log_retention_days INT UNSIGNED NULL,
      deleted_at DATETIME(3) NULL,
      emergency_gateway_id ${id} NULL,
      KEY workspaces_rate_deck (rate_deck_id),
      KEY workspaces_by_deleted_at (deleted_at),
      KEY workspaces_emergency_gateway (emergency_gateway_id),
      CONSTRAINT workspaces_rate_deck FOREIGN KEY (rate_deck_id) REFERENCES rate_decks (id)
    )`,
  `
    CREATE TABLE api_keys (
      sid ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      title VARCHAR(64) NOT NULL,
      scope ${word(8)} NOT NULL,
      role ${word(8)} NOT NULL,
      signs_clients BOOLEAN NOT NULL DEFAULT FALSE,
      secret ${word(255)} NOT NULL,
      last_used_at DATETIME(3) NULL,
      created_at DATETIME(3) NOT NULL,
      UNIQUE KEY api_keys_sid (workspace_id, sid),
      KEY api_keys_by_workspace (workspace_id, created_at),
      CONSTRAINT api_keys_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // What the callbacks of a workspace are signed with.
  `
    CREATE TABLE signing_secrets (
      workspace_id ${id} NOT NULL PRIMARY KEY,
      secret ${word(255)} NOT NULL,
      created_at DATETIME(3) NOT NULL,
      CONSTRAINT signing_secrets_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE audit_log (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NULL,
      actor_kind ${word(16)} NOT NULL,
      actor_id ${word(64)} NULL,
      action ${word(64)} NOT NULL,
      target_type ${word(32)} NOT NULL,
      target_id ${id} NOT NULL,
      target_name VARCHAR(254) NULL,
      changes JSON NOT NULL,
      ip ${word(45)} NULL,
      request_id ${id} NULL,
      created_at DATETIME(3) NOT NULL,
      KEY audit_log_by_created_at (workspace_id, created_at, id),
      KEY audit_log_by_target (workspace_id, target_id, created_at),
      KEY audit_log_by_age (created_at),
      KEY audit_log_by_ip (ip, created_at),
      CONSTRAINT audit_log_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // Bytes of files that each workspace stores.
  `
    CREATE TABLE kept_bytes (
      workspace_id ${id} NOT NULL PRIMARY KEY,
      bytes BIGINT NOT NULL,
      CONSTRAINT kept_bytes_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // Requests to delete all data of a person. The numbers are stored only until that is done.
  `
    CREATE TABLE erasures (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      status ${word(16)} NOT NULL,
      label VARCHAR(254) NOT NULL,
      numbers JSON NULL,
      clients JSON NULL,
      contacts JSON NULL,
      deleted JSON NOT NULL,
      waiting_for JSON NOT NULL,
      requested_by_kind ${word(16)} NOT NULL,
      requested_by_id ${word(64)} NULL,
      created_at DATETIME(3) NOT NULL,
      started_at DATETIME(3) NULL,
      ended_at DATETIME(3) NULL,
      KEY erasures_by_created_at (workspace_id, created_at, id),
      CONSTRAINT erasures_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // SIP messages of deleted calls. Captures are files of the servers beside the edges: each server looks here for what it
  // has to remove.
  `
    CREATE TABLE sip_capture_removals (
      id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
      sip_call_id ${word(255)} NOT NULL,
      created_at DATETIME(3) NOT NULL,
      KEY sip_capture_removals_by_age (created_at)
    )`,
]
