import type { MigrationInterface, QueryRunner } from 'typeorm'
import { id, word } from './baseline/columns.js'

/** How the parties of a call learn that it is recorded; and the index by which a talk finds the caller's voicemails. */
export class RecordingNotice1790000001007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces
        ADD COLUMN recording_notice ${word(16)} NOT NULL DEFAULT 'none',
        ADD COLUMN recording_notice_audio_id ${id} NULL,
        ADD COLUMN recording_notice_text VARCHAR(500) NULL,
        ADD COLUMN recording_notice_voice VARCHAR(100) NULL`)
    await runner.query(
      'CREATE INDEX recordings_by_sender ON recordings (workspace_id, from_number, kind, done_at)',
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX recordings_by_sender ON recordings')
    await runner.query(`
      ALTER TABLE workspaces
        DROP COLUMN recording_notice, DROP COLUMN recording_notice_audio_id,
        DROP COLUMN recording_notice_text, DROP COLUMN recording_notice_voice`)
  }
}
