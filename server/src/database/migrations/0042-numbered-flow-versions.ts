import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Versions of flows have numbers that people can refer to, and name their author. */
export class NumberedFlowVersions1790000000042 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE call_flow_versions
        ADD COLUMN version INT UNSIGNED NOT NULL DEFAULT 0,
        ADD COLUMN author_kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NULL,
        ADD COLUMN author_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL`)
    await runner.query(`
      UPDATE call_flow_versions version
      JOIN (
        SELECT id, ROW_NUMBER() OVER (PARTITION BY call_flow_id ORDER BY id) AS number FROM call_flow_versions
      ) numbered ON numbered.id = version.id
      SET version.version = numbered.number`)
    await runner.query(
      'ALTER TABLE call_flow_versions ADD UNIQUE KEY call_flow_versions_by_number (call_flow_id, version)',
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE call_flow_versions
        DROP KEY call_flow_versions_by_number,
        DROP COLUMN version, DROP COLUMN author_kind, DROP COLUMN author_id`)
  }
}
