import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Finds the sessions of a leg, and those that are open, without looking at all there ever were. */
export class OpenVoiceAgentSessions1790000000038 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE voice_agent_sessions
        ADD KEY voice_agent_sessions_by_leg (leg_id),
        ADD KEY voice_agent_sessions_by_end (ended_at, call_id)`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE voice_agent_sessions
        DROP KEY voice_agent_sessions_by_leg,
        DROP KEY voice_agent_sessions_by_end`)
  }
}
