import type { MigrationInterface, QueryRunner } from 'typeorm'

const ascii = 'CHARACTER SET ascii COLLATE ascii_bin'

/**
 * An erasure may be of a user of a customer's app. The SIP of calls that are deleted is removed from the captures, which
 * lie on the disks of the servers beside the edges: each of them looks here for what it has to remove.
 */
export class ErasedClients1790000000136 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE erasures ADD COLUMN clients JSON NULL AFTER numbers')
    await runner.query(`
      CREATE TABLE sip_capture_removals (
        id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
        sip_call_id VARCHAR(255) ${ascii} NOT NULL,
        created_at DATETIME(3) NOT NULL,
        PRIMARY KEY (id),
        KEY sip_capture_removals_by_age (created_at)
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sip_capture_removals')
    await runner.query('ALTER TABLE erasures DROP COLUMN clients')
  }
}
