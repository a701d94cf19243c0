import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What a version of a voice agent speaks, whether it hears keys, and what it says while a tool takes long. */
export class VoiceAgentLanguage1790000000141 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE voice_agent_settings
        ADD COLUMN language VARCHAR(35) CHARACTER SET ascii COLLATE ascii_bin NULL AFTER ignore_backchannels,
        ADD COLUMN enable_dtmf TINYINT(1) NOT NULL DEFAULT 1 AFTER language,
        ADD COLUMN tool_delay_message VARCHAR(250) NULL AFTER enable_dtmf`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE voice_agent_settings
        DROP COLUMN language, DROP COLUMN enable_dtmf, DROP COLUMN tool_delay_message`)
  }
}
