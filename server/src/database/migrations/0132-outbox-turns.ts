import type { MigrationInterface, QueryRunner } from 'typeorm'

const id = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin'

/** Jobs of the outbox by workspace, so that workspaces take turns. The workspace is read from the payload. */
export class OutboxTurns1790000000132 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE outbox ADD COLUMN workspace_id ${id} NOT NULL DEFAULT ''`)
    await runner.query('CREATE INDEX outbox_of_workspaces ON outbox (kind, workspace_id, due_at)')
    await runner.query(`
      UPDATE outbox JOIN recordings ON recordings.id =
        CONVERT(JSON_UNQUOTE(JSON_EXTRACT(outbox.payload, '$.recording_id')) USING ascii) COLLATE ascii_bin
      SET outbox.workspace_id = recordings.workspace_id WHERE outbox.kind = 'store_recording'`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX outbox_of_workspaces ON outbox')
    await runner.query('ALTER TABLE outbox DROP COLUMN workspace_id')
  }
}
