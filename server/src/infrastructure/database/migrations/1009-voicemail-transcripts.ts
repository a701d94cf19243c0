import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What was said in voicemails, whether workspaces want that, and which agents get theirs by e-mail. */
export class VoicemailTranscripts1790000001009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE recordings ADD COLUMN transcript TEXT NULL')
    await runner.query('ALTER TABLE workspaces ADD COLUMN voicemail_transcription BOOLEAN NOT NULL DEFAULT 1')
    await runner.query('ALTER TABLE agents ADD COLUMN voicemail_by_email TINYINT NOT NULL DEFAULT 0')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents DROP COLUMN voicemail_by_email')
    await runner.query('ALTER TABLE workspaces DROP COLUMN voicemail_transcription')
    await runner.query('ALTER TABLE recordings DROP COLUMN transcript')
  }
}
