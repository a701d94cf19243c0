import type { MigrationInterface, QueryRunner } from 'typeorm'

const ascii = 'CHARACTER SET ascii'

/** Names and short codes as sender of texts. Each belongs to one number of the platform, whatever its case. */
export class Originators1790000000147 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE number_originators (
        originator VARCHAR(11) ${ascii} COLLATE ascii_general_ci NOT NULL PRIMARY KEY,
        workspace_id VARCHAR(40) ${ascii} COLLATE ascii_bin NOT NULL,
        phone_number_id VARCHAR(40) ${ascii} COLLATE ascii_bin NOT NULL,
        created_at DATETIME(3) NOT NULL,
        KEY number_originators_number (workspace_id, phone_number_id),
        CONSTRAINT number_originators_number FOREIGN KEY (workspace_id, phone_number_id)
          REFERENCES phone_numbers (workspace_id, id) ON DELETE CASCADE
      )`)
    await runner.query(`ALTER TABLE messages ADD originator VARCHAR(11) ${ascii} COLLATE ascii_bin NULL`)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages DROP COLUMN originator')
    await runner.query('DROP TABLE number_originators')
  }
}
