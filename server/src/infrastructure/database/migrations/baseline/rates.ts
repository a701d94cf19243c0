import { id, word } from './columns.js'

/** Rates by prefix. Before workspaces, which name their rate deck. */
export const rates: readonly string[] = [
  // At most one deck is the default: `is_default` is NULL for all others.
  `
    CREATE TABLE rate_decks (
      id ${id} NOT NULL PRIMARY KEY,
      title VARCHAR(64) NOT NULL,
      is_default BOOLEAN NULL,
      rates INT UNSIGNED NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      UNIQUE KEY rate_decks_default (is_default)
    )`,
  `
    CREATE TABLE rates (
      rate_deck_id ${id} NOT NULL,
      kind ${word(16)} NOT NULL,
      prefix ${word(20)} NOT NULL,
      valid_from DATETIME(3) NOT NULL,
      destination VARCHAR(64) NOT NULL,
      price DECIMAL(14,6) NOT NULL,
      connection_fee DECIMAL(14,6) NOT NULL,
      minimum_seconds SMALLINT UNSIGNED NOT NULL,
      increment_seconds SMALLINT UNSIGNED NOT NULL,
      is_blocked BOOLEAN NOT NULL,
      PRIMARY KEY (rate_deck_id, kind, prefix, valid_from),
      CONSTRAINT rates_deck FOREIGN KEY (rate_deck_id) REFERENCES rate_decks (id) ON DELETE CASCADE
    )`,
]
