import type { MigrationInterface, QueryRunner } from 'typeorm'
import { id, word } from './baseline/columns.js'

/** Steps of flows that are not published yet; they may be incomplete. */
export class CallFlowDrafts1790000001006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE call_flow_drafts (
        call_flow_id ${id} NOT NULL PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        nodes JSON NOT NULL,
        base_version INT UNSIGNED NOT NULL,
        revision INT UNSIGNED NOT NULL,
        author_kind ${word(16)} NOT NULL,
        author_id ${word(64)} NULL,
        updated_at DATETIME(3) NOT NULL,
        KEY call_flow_drafts_flow (workspace_id, call_flow_id),
        CONSTRAINT call_flow_drafts_flow
          FOREIGN KEY (workspace_id, call_flow_id) REFERENCES call_flows (workspace_id, id) ON DELETE CASCADE
      )`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE call_flow_drafts')
  }
}
