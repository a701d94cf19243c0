import type { MigrationInterface, QueryRunner } from 'typeorm'

const id = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin'

/**
 * States that agents chose, or that were chosen for them. And who had which call: `team_calls` names the teams whose
 * agents took part in a call, as they were when it ended, so that a team's history is read from one index and stays with the
 * team when an agent leaves it.
 */
export class PresenceAndTeamCalls1790000000022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE chosen_states (
        workspace_id ${id} NOT NULL,
        agent_id ${id} NOT NULL,
        state VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        chosen_by ${id} NOT NULL,
        chosen_at DATETIME(3) NOT NULL,
        PRIMARY KEY (workspace_id, agent_id),
        CONSTRAINT chosen_states_agent FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE team_calls (
        workspace_id ${id} NOT NULL,
        team_id ${id} NOT NULL,
        call_id ${id} NOT NULL,
        PRIMARY KEY (workspace_id, team_id, call_id),
        KEY team_calls_by_call (call_id, team_id),
        CONSTRAINT team_calls_team FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, id) ON DELETE CASCADE,
        CONSTRAINT team_calls_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
      )`)
    await runner.query('ALTER TABLE call_legs ADD KEY call_legs_by_agent (workspace_id, agent_id, call_id)')
    await runner.query(
      'ALTER TABLE calls ADD KEY calls_live_of_workspace (live, workspace_id), DROP KEY calls_live',
    )
    await runner.query(`
      INSERT IGNORE INTO team_calls (workspace_id, team_id, call_id)
      SELECT leg.workspace_id, member.team_id, leg.call_id
      FROM call_legs leg JOIN team_members member ON member.agent_id = leg.agent_id
      JOIN calls ON calls.id = leg.call_id AND calls.live IS NULL`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls ADD KEY calls_live (live), DROP KEY calls_live_of_workspace')
    await runner.query('ALTER TABLE call_legs DROP KEY call_legs_by_agent')
    await runner.query('DROP TABLE team_calls, chosen_states')
  }
}
