import type { MigrationInterface, QueryRunner } from 'typeorm'

const id = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin'

/** Callers who wait for a team, so that a restart leaves each at their place; and who of a team was rung last in turn. */
export class TeamQueues1790000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE queue_entries (
        call_id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        team_id ${id} NOT NULL,
        entered_at DATETIME(3) NOT NULL,
        KEY queue_entries_by_team (workspace_id, team_id, entered_at, call_id),
        CONSTRAINT queue_entries_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE,
        CONSTRAINT queue_entries_team FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, id) ON DELETE CASCADE
      )`)
    await runner.query(`ALTER TABLE teams ADD COLUMN last_offered_member ${id} NULL`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE teams DROP COLUMN last_offered_member')
    await runner.query('DROP TABLE queue_entries')
  }
}
