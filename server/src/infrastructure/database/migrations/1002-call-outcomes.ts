import type { MigrationInterface, QueryRunner } from 'typeorm'
import { id, word } from './baseline/columns.js'
import { fillOutcomes, markOldVoicemails } from './fill-call-outcomes.js'

/** What agents were offered, how long callers waited, which calls and voicemails wait for an agent; and the outcome of each call. */
export class CallOutcomes1790000001002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...tables, columns, legs, voicemails]) await runner.query(statement)
    await fillOutcomes(runner)
    await markOldVoicemails(runner)
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of undone) await runner.query(statement)
  }
}

const tables: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS call_offers (
      id ${id} NOT NULL PRIMARY KEY,
      call_id ${id} NOT NULL,
      workspace_id ${id} NOT NULL,
      agent_id ${id} NOT NULL,
      team_id ${id} NULL,
      began_at DATETIME(3) NOT NULL,
      ended_at DATETIME(3) NULL,
      result ${word(20)} NULL,
      KEY call_offers_by_call (call_id, began_at),
      KEY call_offers_by_agent (workspace_id, agent_id, call_id),
      CONSTRAINT call_offers_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
    )`,
  `CREATE TABLE IF NOT EXISTS queue_waits (
      call_id ${id} NOT NULL,
      team_id ${id} NOT NULL,
      entered_at DATETIME(3) NOT NULL,
      workspace_id ${id} NOT NULL,
      left_at DATETIME(3) NULL,
      result ${word(12)} NULL,
      PRIMARY KEY (call_id, team_id, entered_at),
      KEY queue_waits_by_team (workspace_id, team_id, entered_at),
      CONSTRAINT queue_waits_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
    )`,
  `CREATE TABLE IF NOT EXISTS missed_calls (
      call_id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      number VARCHAR(80) NOT NULL,
      team_id ${id} NULL,
      created_at DATETIME(3) NOT NULL,
      handled_at DATETIME(3) NULL,
      handled_by ${id} NULL,
      KEY missed_calls_by_number (workspace_id, number, handled_at),
      KEY missed_calls_by_team (workspace_id, team_id, call_id),
      CONSTRAINT missed_calls_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
    )`,
]

/** The index serves lists: calls are filtered, sorted and summed up in it. */
const columns = `
    ALTER TABLE calls
      ADD COLUMN outcome ${word(16)} NULL,
      ADD COLUMN abandoned_in ${word(8)} NULL,
      ADD COLUMN ended_by ${word(8)} NULL,
      ADD COLUMN answered_leg_id ${id} NULL,
      ADD COLUMN team_id ${id} NULL,
      ADD COLUMN wait_seconds INT UNSIGNED NULL,
      ADD COLUMN ring_seconds INT UNSIGNED NULL,
      ADD COLUMN talk_seconds INT UNSIGNED NULL,
      ADD COLUMN hold_seconds INT UNSIGNED NULL,
      ADD COLUMN hold_ms INT UNSIGNED NOT NULL DEFAULT 0,
      ADD COLUMN held_at DATETIME(3) NULL,
      DROP KEY calls_history,
      ADD KEY calls_history (workspace_id, created_at, id, direction, status, outcome, duration, cost, wait_seconds,
        talk_seconds, from_number, to_number, from_name, to_name, team_id, phone_number_id, call_flow_id)`

/** An agent's calls without those that the agent listened to are read from one index. */
const legs = `
    ALTER TABLE call_legs
      ADD COLUMN is_ended_by_peer BOOLEAN NULL,
      DROP KEY call_legs_by_agent,
      ADD KEY call_legs_by_agent (workspace_id, agent_id, call_id, role)`

const voicemails = `
    ALTER TABLE recordings
      ADD COLUMN heard_at DATETIME(3) NULL,
      ADD COLUMN heard_by ${id} NULL,
      ADD COLUMN done_at DATETIME(3) NULL,
      ADD COLUMN done_by ${id} NULL`

const undone: readonly string[] = [
  'DROP TABLE call_offers, queue_waits, missed_calls',
  `ALTER TABLE recordings
      DROP COLUMN heard_at, DROP COLUMN heard_by, DROP COLUMN done_at, DROP COLUMN done_by`,
  `ALTER TABLE calls
      DROP KEY calls_history,
      DROP COLUMN outcome, DROP COLUMN abandoned_in, DROP COLUMN ended_by, DROP COLUMN answered_leg_id,
      DROP COLUMN team_id, DROP COLUMN wait_seconds, DROP COLUMN ring_seconds, DROP COLUMN talk_seconds,
      DROP COLUMN hold_seconds, DROP COLUMN hold_ms, DROP COLUMN held_at,
      ADD KEY calls_history (workspace_id, created_at, id, direction, status, duration, cost, from_number, to_number)`,
  `ALTER TABLE call_legs
      DROP COLUMN is_ended_by_peer,
      DROP KEY call_legs_by_agent,
      ADD KEY call_legs_by_agent (workspace_id, agent_id, call_id)`,
]
