import type { MigrationInterface, QueryRunner } from 'typeorm'

const id = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin'

/** What a call flow may name: the column of a reference, and the table it points into. */
const referenced = {
  audio_id: 'audios',
  team_id: 'teams',
  agent_id: 'agents',
  voice_agent_id: 'voice_agents',
  outbound_gateway_id: 'outbound_gateways',
  phone_number_id: 'phone_numbers',
  extension_id: 'extensions',
}

/** Address books and contacts, what call flows name, and an index from which usage is added up. */
export class ContactsAndFlowReferences1790000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE address_books (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        title VARCHAR(36) NOT NULL,
        shared_teams_id JSON NOT NULL,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        UNIQUE KEY address_books_id (workspace_id, id),
        KEY address_books_by_created_at (workspace_id, created_at, id),
        KEY address_books_by_title (workspace_id, title, id),
        CONSTRAINT address_books_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`)
    await runner.query(`
      CREATE TABLE address_book_teams (
        workspace_id ${id} NOT NULL,
        address_book_id ${id} NOT NULL,
        team_id ${id} NOT NULL,
        PRIMARY KEY (address_book_id, team_id),
        CONSTRAINT address_book_teams_book FOREIGN KEY (workspace_id, address_book_id) REFERENCES address_books (workspace_id, id) ON DELETE CASCADE,
        CONSTRAINT address_book_teams_team FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, id)
      )`)
    // Lists of contacts are sorted, paged and searched in their indexes, without reading any row but those shown.
    await runner.query(`
      CREATE TABLE contacts (
        id ${id} PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        name VARCHAR(100) NOT NULL,
        numbers JSON NOT NULL,
        email VARCHAR(254) NULL,
        notes VARCHAR(2000) NULL,
        custom_fields JSON NOT NULL,
        address_book_id ${id} NULL,
        searched VARCHAR(600) AS (CONCAT_WS(' ', name, email, numbers)) STORED,
        created_at DATETIME(3) NOT NULL,
        updated_at DATETIME(3) NOT NULL,
        UNIQUE KEY contacts_id (workspace_id, id),
        KEY contacts_by_created_at (workspace_id, created_at, id, address_book_id, searched),
        KEY contacts_by_name (workspace_id, name, id, address_book_id, searched),
        KEY contacts_by_address_book (workspace_id, address_book_id, name, id, created_at, searched),
        CONSTRAINT contacts_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
        CONSTRAINT contacts_address_book FOREIGN KEY (workspace_id, address_book_id) REFERENCES address_books (workspace_id, id)
      )`)
    await runner.query(`
      CREATE TABLE contact_numbers (
        workspace_id ${id} NOT NULL,
        contact_id ${id} NOT NULL,
        number VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
        PRIMARY KEY (contact_id, number),
        KEY contact_numbers_by_number (workspace_id, number, contact_id),
        CONSTRAINT contact_numbers_contact FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id) ON DELETE CASCADE
      )`)
    for (const table of ['audios', 'outbound_gateways', 'extensions']) {
      await runner.query(`ALTER TABLE ${table} ADD UNIQUE KEY ${table}_id (workspace_id, id)`)
    }
    const columns = Object.keys(referenced).map((column) => `${column} ${id} NULL`)
    const keys = Object.entries(referenced).map(
      ([column, table]) =>
        `CONSTRAINT call_flow_references_${column} FOREIGN KEY (workspace_id, ${column}) REFERENCES ${table} (workspace_id, id)`,
    )
    await runner.query(`
      CREATE TABLE call_flow_references (
        id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
        workspace_id ${id} NOT NULL,
        call_flow_id ${id} NOT NULL,
        ${columns.join(',')},
        CONSTRAINT call_flow_references_flow FOREIGN KEY (workspace_id, call_flow_id) REFERENCES call_flows (workspace_id, id) ON DELETE CASCADE,
        ${keys.join(',')}
      )`)
    await runner.query(
      'ALTER TABLE calls ADD KEY calls_usage (workspace_id, created_at, direction, duration, cost)',
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls DROP KEY calls_usage')
    await runner.query('DROP TABLE call_flow_references')
    for (const table of ['audios', 'outbound_gateways', 'extensions']) {
      await runner.query(`ALTER TABLE ${table} DROP KEY ${table}_id`)
    }
    await runner.query('DROP TABLE contact_numbers, contacts, address_book_teams, address_books')
  }
}
