import type { MigrationInterface, QueryRunner } from 'typeorm'

const ascii = 'CHARACTER SET ascii COLLATE ascii_bin'

/** When a version of a voice agent takes a caller's turn for begun and ended. NULL is as its provider does it. */
export class TurnDetection1790000000140 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE voice_agent_settings
        ADD COLUMN turn_detection VARCHAR(16) ${ascii} NULL AFTER enable_noise_reduction,
        ADD COLUMN turn_eagerness VARCHAR(16) ${ascii} NULL AFTER turn_detection,
        ADD COLUMN turn_threshold DECIMAL(3, 2) NULL AFTER turn_eagerness,
        ADD COLUMN turn_silence_ms SMALLINT UNSIGNED NULL AFTER turn_threshold,
        ADD COLUMN interruption_ms SMALLINT UNSIGNED NULL AFTER turn_silence_ms,
        ADD COLUMN ignore_backchannels TINYINT(1) NOT NULL DEFAULT 1 AFTER interruption_ms`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE voice_agent_settings
        DROP COLUMN turn_detection, DROP COLUMN turn_eagerness, DROP COLUMN turn_threshold,
        DROP COLUMN turn_silence_ms, DROP COLUMN interruption_ms, DROP COLUMN ignore_backchannels`)
  }
}
