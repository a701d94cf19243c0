import type { MigrationInterface, QueryRunner } from 'typeorm'

const names = ['source_ton', 'source_npi', 'destination_ton', 'destination_npi']

/**
 * Carriers that had the types of numbers of the default, international of ISDN, say of each number what it is: that is the
 * same until their numbers are written in another format.
 */
export class TypesOfNumbers1790000000146 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const name of names) {
      await runner.query(
        `UPDATE carriers SET settings = JSON_SET(settings, '$.${name}', JSON_EXTRACT('null', '$'))
         WHERE kind = 'smpp' AND JSON_VALUE(settings, '$.${name}') = '1'`,
      )
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of names) {
      await runner.query(
        `UPDATE carriers SET settings = JSON_SET(settings, '$.${name}', 1)
         WHERE kind = 'smpp' AND JSON_VALUE(settings, '$.${name}') IS NULL`,
      )
    }
  }
}
