import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Legs that a script dials are destinations: operators run the platform. */
export class DestinationLegs1790000001001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("UPDATE call_legs SET role = 'destination' WHERE role = 'operator'")
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("UPDATE call_legs SET role = 'operator' WHERE role = 'destination'")
  }
}
