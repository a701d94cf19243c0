import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Who verified a number, and codes that calls and texts bring to one. Only verified numbers are shown to others.
 *
 * Numbers that are active before the upgrade keep calling out: their operators let them in by the rules of then. They are
 * marked `upgrade`, and signed with attestation B at most. A number that several workspaces have connected is not among them:
 * a call to oneself activated it, and the operator says whose it is.
 */
export class NumberVerification1790000000111 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE phone_numbers
        ADD COLUMN verified_by VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NULL,
        ADD COLUMN verified_at DATETIME(3) NULL`)
    await runner.query(
      "UPDATE phone_numbers SET verified_by = 'operator', verified_at = updated_at WHERE is_verified = 1",
    )
    await runner.query(`
      UPDATE phone_numbers number
      LEFT JOIN phone_numbers other ON other.number = number.number AND other.workspace_id <> number.workspace_id
      SET number.is_verified = 1, number.verified_by = 'upgrade', number.verified_at = NOW(3)
      WHERE number.status = 'active' AND number.is_verified = 0 AND other.id IS NULL`)
    await runner.query(`
      CREATE TABLE number_verifications (
        phone_number_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
        channel VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        salt VARBINARY(16) NOT NULL,
        code_hash VARBINARY(32) NOT NULL,
        attempts_left TINYINT UNSIGNED NOT NULL,
        created_at DATETIME(3) NOT NULL,
        expires_at DATETIME(3) NOT NULL,
        KEY number_verifications_by_expiry (expires_at),
        CONSTRAINT number_verifications_number FOREIGN KEY (phone_number_id) REFERENCES phone_numbers (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE number_code_counts (
        scope VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        period_began DATETIME(3) NOT NULL,
        codes INT UNSIGNED NOT NULL,
        PRIMARY KEY (scope, period_began),
        KEY number_code_counts_by_period (period_began)
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE number_code_counts')
    await runner.query('DROP TABLE number_verifications')
    await runner.query("UPDATE phone_numbers SET is_verified = 0 WHERE verified_by <> 'operator'")
    await runner.query('ALTER TABLE phone_numbers DROP COLUMN verified_by, DROP COLUMN verified_at')
  }
}
