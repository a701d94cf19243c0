import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Rates by prefix, and on each leg the rate that it began with. */
export class RateDecks1790000000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE rate_decks (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
        title VARCHAR(64) NOT NULL,
        is_default TINYINT(1) NOT NULL,
        rates INT UNSIGNED NOT NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        KEY rate_decks_by_default (is_default)
      )`)
    await runner.query(`
      CREATE TABLE rates (
        rate_deck_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        prefix VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        valid_from DATETIME(3) NOT NULL,
        destination VARCHAR(64) NOT NULL,
        price DECIMAL(14,6) NOT NULL,
        connection_fee DECIMAL(14,6) NOT NULL,
        minimum_seconds SMALLINT UNSIGNED NOT NULL,
        increment_seconds SMALLINT UNSIGNED NOT NULL,
        is_blocked TINYINT(1) NOT NULL,
        PRIMARY KEY (rate_deck_id, kind, prefix, valid_from),
        CONSTRAINT rates_deck FOREIGN KEY (rate_deck_id) REFERENCES rate_decks (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      ALTER TABLE workspaces
        ADD COLUMN rate_deck_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
        ADD CONSTRAINT workspaces_rate_deck FOREIGN KEY (rate_deck_id) REFERENCES rate_decks (id)`)
    await runner.query(`
      ALTER TABLE call_legs
        ADD COLUMN connection_fee DECIMAL(14,6) NOT NULL DEFAULT 0,
        ADD COLUMN minimum_seconds SMALLINT UNSIGNED NOT NULL DEFAULT 1,
        ADD COLUMN increment_seconds SMALLINT UNSIGNED NOT NULL DEFAULT 1,
        ADD COLUMN rate_deck_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
        ADD COLUMN rate_prefix VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NULL`)
    await runner.query(`
      ALTER TABLE messages
        ADD COLUMN rate_deck_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
        ADD COLUMN rate_prefix VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NULL`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages DROP COLUMN rate_prefix, DROP COLUMN rate_deck_id')
    await runner.query(`
      ALTER TABLE call_legs DROP COLUMN rate_prefix, DROP COLUMN rate_deck_id, DROP COLUMN increment_seconds,
        DROP COLUMN minimum_seconds, DROP COLUMN connection_fee`)
    await runner.query(
      'ALTER TABLE workspaces DROP FOREIGN KEY workspaces_rate_deck, DROP COLUMN rate_deck_id',
    )
    await runner.query('DROP TABLE rates')
    await runner.query('DROP TABLE rate_decks')
  }
}
