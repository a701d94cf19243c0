import type { MigrationInterface, QueryRunner } from 'typeorm'

/** One index from which calls are listed, filtered, searched, sorted and summed up, in the place of two. */
export class CallHistory1790000000044 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls
        ADD KEY calls_history
          (workspace_id, created_at, id, direction, status, duration, cost, from_number, to_number),
        DROP KEY calls_by_created_at,
        DROP KEY calls_usage`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls
        ADD KEY calls_by_created_at (workspace_id, created_at, id),
        ADD KEY calls_usage (workspace_id, created_at, direction, duration, cost),
        DROP KEY calls_history`)
  }
}
