import type { MigrationInterface, QueryRunner } from 'typeorm'
import { fillSearchTexts } from './fill-search-texts.js'

/**
 * What searches of messages, calls and contacts look at, in indexes: of letters as they are compared. Calls and messages
 * are read newest first: MariaDB reads an index faster in its own order.
 */
export class SearchTexts1790000001011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages ADD COLUMN search_text VARBINARY(2900) NULL')
    await runner.query('ALTER TABLE calls ADD COLUMN search_text VARBINARY(600) NULL')
    await runner.query('ALTER TABLE contacts ADD COLUMN search_text VARBINARY(1200) NULL')
    await fillSearchTexts(runner)
    await runner.query(`CREATE INDEX messages_search
      ON messages (workspace_id, created_at DESC, id DESC, client_number, direction, search_text)`)
    await runner.query(`CREATE INDEX calls_search
      ON calls (workspace_id, created_at DESC, id DESC, from_number, to_number, search_text)`)
    await indexContacts(runner, 'search_text')
    await runner.query('ALTER TABLE contacts DROP COLUMN searched')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE contacts
      ADD COLUMN searched VARCHAR(600) AS (CONCAT_WS(' ', name, email, numbers)) STORED`)
    await indexContacts(runner, 'searched')
    await runner.query('ALTER TABLE contacts DROP COLUMN search_text')
    await runner.query('DROP INDEX calls_search ON calls')
    await runner.query('ALTER TABLE calls DROP COLUMN search_text')
    await runner.query('DROP INDEX messages_search ON messages')
    await runner.query('ALTER TABLE messages DROP COLUMN search_text')
  }
}

async function indexContacts(runner: QueryRunner, text: string): Promise<void> {
  await runner.query(`
    ALTER TABLE contacts
      DROP KEY contacts_by_created_at, DROP KEY contacts_by_name, DROP KEY contacts_by_address_book,
      ADD KEY contacts_by_created_at (workspace_id, created_at, id, address_book_id, ${text}),
      ADD KEY contacts_by_name (workspace_id, name, id, address_book_id, ${text}),
      ADD KEY contacts_by_address_book (workspace_id, address_book_id, name, id, created_at, ${text})`)
}
