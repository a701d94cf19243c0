import type { MigrationInterface, QueryRunner } from 'typeorm'

const wider = [
  'ALTER TABLE calls MODIFY to_number VARCHAR(80) NOT NULL, MODIFY to_name VARCHAR(80) NOT NULL',
  'ALTER TABLE call_legs MODIFY number VARCHAR(80) NOT NULL',
  'ALTER TABLE recordings MODIFY to_number VARCHAR(80) NOT NULL',
]

/** Calls reach users of customers' apps: `client:` and a `sub` of 64 characters are 71. */
export class CalledClients1790000000115 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of wider) await runner.query(statement)
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of wider) await runner.query(statement.replaceAll('VARCHAR(80)', 'VARCHAR(64)'))
  }
}
