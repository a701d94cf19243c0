import { fixed, id, word } from './columns.js'

/** Credit, usage, and alerts about spending. */
export const credit: readonly string[] = [
  `
    CREATE TABLE credit_balances (
      workspace_id ${id} NOT NULL PRIMARY KEY,
      balance DECIMAL(14,6) NOT NULL,
      held DECIMAL(14,6) NOT NULL DEFAULT 0.000000,
      entries INT UNSIGNED NOT NULL DEFAULT 0,
      hour_began DATETIME(3) NULL,
      hour_spent DECIMAL(14,6) NOT NULL DEFAULT 0.000000,
      day_began DATETIME(3) NULL,
      day_spent DECIMAL(14,6) NOT NULL DEFAULT 0.000000,
      CONSTRAINT credit_balances_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // The ledger of a workspace; its entries are numbered.
  `
    CREATE TABLE credit_entries (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      amount DECIMAL(14,6) NOT NULL,
      balance DECIMAL(14,6) NOT NULL,
      reason ${word(16)} NOT NULL,
      reference ${word(40)} NOT NULL,
      note VARCHAR(255) NOT NULL DEFAULT '',
      created_at DATETIME(3) NOT NULL,
      sequence INT UNSIGNED NULL,
      is_subject_deleted BOOLEAN NOT NULL DEFAULT FALSE,
      UNIQUE KEY credit_entries_once (reason, reference),
      UNIQUE KEY credit_entries_by_sequence (workspace_id, sequence),
      KEY credit_entries_by_workspace (workspace_id, created_at, id),
      CONSTRAINT credit_entries_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // Usage that outlives deleted calls and messages.
  `
    CREATE TABLE usage_days (
      workspace_id ${id} NOT NULL,
      day DATE NOT NULL,
      direction ${word(8)} NOT NULL,
      calls INT UNSIGNED NOT NULL DEFAULT 0,
      seconds BIGINT UNSIGNED NOT NULL DEFAULT 0,
      cost DECIMAL(14,6) NOT NULL DEFAULT 0.000000,
      messages INT UNSIGNED NOT NULL DEFAULT 0,
      segments INT UNSIGNED NOT NULL DEFAULT 0,
      message_cost DECIMAL(14,6) NOT NULL DEFAULT 0.000000,
      PRIMARY KEY (workspace_id, day, direction),
      CONSTRAINT usage_days_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE rated_usage_days (
      workspace_id ${id} NOT NULL,
      day DATE NOT NULL,
      kind ${word(16)} NOT NULL,
      rate_deck_id ${id} NOT NULL,
      prefix ${word(20)} NOT NULL,
      count INT UNSIGNED NOT NULL,
      seconds BIGINT UNSIGNED NOT NULL,
      segments INT UNSIGNED NOT NULL,
      cost DECIMAL(14,6) NOT NULL,
      PRIMARY KEY (workspace_id, day, kind, rate_deck_id, prefix),
      CONSTRAINT rated_usage_days_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE alerts (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      kind ${word(32)} NOT NULL,
      period_began DATETIME(3) NOT NULL,
      message VARCHAR(255) NOT NULL,
      created_at DATETIME(3) NOT NULL,
      country_code ${fixed(2)} NOT NULL DEFAULT '',
      details JSON NULL,
      UNIQUE KEY alerts_once (workspace_id, kind, period_began, country_code),
      KEY alerts_by_created_at (created_at, id),
      CONSTRAINT alerts_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  // How often a workspace calls a country in an hour, and what is usual. `usual_calls` is a decimal, as it decays by less than
  // one call at a time.
  `
    CREATE TABLE called_countries (
      workspace_id ${id} NOT NULL,
      country_code ${fixed(2)} NOT NULL,
      first_called_at DATETIME(3) NOT NULL,
      hour_began DATETIME(3) NOT NULL,
      hour_calls INT UNSIGNED NOT NULL,
      usual_calls DECIMAL(16,6) UNSIGNED NOT NULL,
      PRIMARY KEY (workspace_id, country_code),
      CONSTRAINT called_countries_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
]
