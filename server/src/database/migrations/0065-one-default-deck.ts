import type { MigrationInterface, QueryRunner } from 'typeorm'

/** At most one rate deck is the default, also when two are made it in the same moment: NULL for all others. */
export class OneDefaultDeck1790000000065 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rate_decks MODIFY is_default TINYINT(1) NULL')
    await runner.query('UPDATE rate_decks SET is_default = NULL WHERE is_default = 0')
    await runner.query(`
      UPDATE rate_decks SET is_default = NULL
      WHERE id <> (SELECT id FROM (SELECT id FROM rate_decks WHERE is_default = 1 ORDER BY updated_at DESC, id LIMIT 1) last)`)
    await runner.query(
      'ALTER TABLE rate_decks DROP KEY rate_decks_by_default, ADD UNIQUE KEY rate_decks_default (is_default)',
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE rate_decks DROP KEY rate_decks_default, ADD KEY rate_decks_by_default (is_default)',
    )
    await runner.query('UPDATE rate_decks SET is_default = 0 WHERE is_default IS NULL')
    await runner.query('ALTER TABLE rate_decks MODIFY is_default TINYINT(1) NOT NULL')
  }
}
