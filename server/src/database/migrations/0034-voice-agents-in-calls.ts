import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Voice agents in calls: their legs, what they were asked to do, what was said, and what it cost. */
export class VoiceAgentsInCalls1790000000034 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE call_legs
        ADD voice_agent_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL AFTER agent_id`)
    // Settings are kept as they were: changes of a version are for later calls.
    await runner.query(`
      CREATE TABLE voice_agent_sessions (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        call_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        leg_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        voice_agent_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        version INT UNSIGNED NOT NULL,
        provider VARCHAR(100) NOT NULL,
        model_id VARCHAR(100) NOT NULL,
        settings JSON NOT NULL,
        started_at DATETIME(3) NOT NULL,
        ended_at DATETIME(3) NULL,
        end_reason VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
        usage_counts JSON NULL,
        cost DECIMAL(14,6) NOT NULL DEFAULT 0,
        KEY voice_agent_sessions_by_call (call_id, started_at),
        KEY voice_agent_sessions_by_agent (workspace_id, voice_agent_id, started_at),
        CONSTRAINT voice_agent_sessions_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE call_dialogue (
        id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
        workspace_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        call_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        session_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        position INT UNSIGNED NOT NULL,
        speaker VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        text TEXT NOT NULL,
        is_interrupted TINYINT(1) NOT NULL DEFAULT 0,
        created_at DATETIME(3) NOT NULL,
        UNIQUE KEY call_dialogue_by_call (call_id, position),
        CONSTRAINT call_dialogue_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE call_dialogue')
    await runner.query('DROP TABLE voice_agent_sessions')
    await runner.query('ALTER TABLE call_legs DROP COLUMN voice_agent_id')
  }
}
