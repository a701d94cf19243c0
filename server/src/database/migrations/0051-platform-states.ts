import type { MigrationInterface, QueryRunner } from 'typeorm'

const ascii = 'CHARACTER SET ascii COLLATE ascii_bin'

/** What the operator has set at run time, and all servers heed: log levels, a drain. And of callers their SIP Call-ID. */
export class PlatformStates1790000000051 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE platform_states (
        name VARCHAR(40) ${ascii} NOT NULL,
        value VARCHAR(40) ${ascii} NOT NULL,
        since DATETIME(3) NOT NULL,
        until DATETIME(3) NULL,
        PRIMARY KEY (name)
      ) ENGINE=InnoDB`)
    await runner.query(`ALTER TABLE call_legs ADD COLUMN sip_call_id VARCHAR(255) ${ascii} NULL`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE call_legs DROP COLUMN sip_call_id')
    await runner.query('DROP TABLE platform_states')
  }
}
