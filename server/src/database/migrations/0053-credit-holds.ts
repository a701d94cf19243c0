import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Credit that live calls hold, a ledger whose entries are numbered, and what each leg has cost. */
export class CreditHolds1790000000053 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE credit_balances
        ADD COLUMN held DECIMAL(14,6) NOT NULL DEFAULT 0,
        ADD COLUMN entries INT UNSIGNED NOT NULL DEFAULT 0`)
    await runner.query(`
      ALTER TABLE credit_entries
        ADD COLUMN sequence INT UNSIGNED NULL,
        ADD UNIQUE KEY credit_entries_by_sequence (workspace_id, sequence)`)
    await runner.query('ALTER TABLE calls ADD COLUMN credit_held DECIMAL(14,6) NOT NULL DEFAULT 0')
    await runner.query(
      'ALTER TABLE call_legs ADD COLUMN charged_seconds INT UNSIGNED NULL, ADD COLUMN cost DECIMAL(14,6) NULL',
    )
    // Until now all legs were charged by the second.
    await runner.query(`
      UPDATE call_legs leg JOIN calls ON calls.id = leg.call_id
      SET leg.charged_seconds = GREATEST(1, CEIL(
          TIMESTAMPDIFF(MICROSECOND, leg.answered_at, COALESCE(leg.ended_at, calls.ended_at)) / 1000000)),
        leg.cost = ROUND(leg.fee_per_minute * leg.charged_seconds / 60, 6)
      WHERE calls.live IS NULL AND leg.answered_at IS NOT NULL AND leg.fee_per_minute > 0`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE call_legs DROP COLUMN cost, DROP COLUMN charged_seconds')
    await runner.query('ALTER TABLE calls DROP COLUMN credit_held')
    await runner.query('ALTER TABLE credit_entries DROP KEY credit_entries_by_sequence, DROP COLUMN sequence')
    await runner.query('ALTER TABLE credit_balances DROP COLUMN entries, DROP COLUMN held')
  }
}
