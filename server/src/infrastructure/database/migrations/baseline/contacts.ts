import { id, word } from './columns.js'

/** Address books and contacts. Lists are sorted, paged and searched in their indexes, without reading rows. */
export const contacts: readonly string[] = [
  `
    CREATE TABLE address_books (
      id ${id} NOT NULL PRIMARY KEY,
      workspace_id ${id} NOT NULL,
      title VARCHAR(36) NOT NULL,
      shared_teams_id JSON NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      UNIQUE KEY address_books_id (workspace_id, id),
      KEY address_books_by_created_at (workspace_id, created_at, id),
      KEY address_books_by_title (workspace_id, title, id),
      CONSTRAINT address_books_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE address_book_teams (
      workspace_id ${id} NOT NULL,
      address_book_id ${id} NOT NULL,
      team_id ${id} NOT NULL,
      PRIMARY KEY (address_book_id, team_id),
      KEY address_book_teams_book (workspace_id, address_book_id),
      KEY address_book_teams_team (workspace_id, team_id),
      CONSTRAINT address_book_teams_book
        FOREIGN KEY (workspace_id, address_book_id) REFERENCES address_books (workspace_id, id) ON DELETE CASCADE,
      CONSTRAINT address_book_teams_team FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, id)
    )`,
  `
    CREATE TABLE contacts (
      id ${id} NOT NULL PRIMARY KEY,
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
      CONSTRAINT contacts_address_book
        FOREIGN KEY (workspace_id, address_book_id) REFERENCES address_books (workspace_id, id),
      CONSTRAINT contacts_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    )`,
  `
    CREATE TABLE contact_numbers (
      workspace_id ${id} NOT NULL,
      contact_id ${id} NOT NULL,
      number ${word(20)} NOT NULL,
      PRIMARY KEY (contact_id, number),
      KEY contact_numbers_by_number (workspace_id, number, contact_id),
      KEY contact_numbers_contact (workspace_id, contact_id),
      CONSTRAINT contact_numbers_contact
        FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id) ON DELETE CASCADE
    )`,
]
