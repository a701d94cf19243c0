/** Contacts as others show them beside a number: the one added last of those that have it. */
import type { EntityManager } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { inSearchText } from '../../infrastructure/database/search-text.js'
import { containing } from '../../infrastructure/database/search.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { Contact } from './contact.entity.js'

/** A contact by name. */
export interface NamedContact {
  readonly id: string
  readonly name: string
}

export class ContactNames {
  constructor(private readonly database: Database) {}

  /** The contacts of numbers, by number: one query for all of them. @param numbers digits */
  async of(
    workspace: Owner,
    numbers: readonly string[],
    tx?: EntityManager,
  ): Promise<ReadonlyMap<string, NamedContact>> {
    if (numbers.length === 0) return new Map()
    const rows = await (tx ?? this.database.source).query<(NamedContact & { number: string })[]>(
      `SELECT newest.number, contact.id, contact.name FROM (
         SELECT number, MAX(contact_id) AS contact_id FROM contact_numbers
         WHERE workspace_id = ? AND number IN (?) GROUP BY number
       ) newest JOIN contacts contact ON contact.id = newest.contact_id`,
      [workspace.id, numbers],
    )
    return new Map(rows.map(({ number, id, name }) => [number, { id, name }]))
  }

  /**
   * @param most numbers; a search by name that adds more finds too much to be of use
   * @returns digits of the numbers that are shown under a name with the text in it
   */
  async numbersNamed(workspace: Owner, text: string, most = 500): Promise<string[]> {
    const { sql, values } = numbersNamed(workspace, text)
    const rows = await this.database.source.query<{ number: string }[]>(`${sql} LIMIT ?`, [...values, most])
    return rows.map(({ number }) => number)
  }
}

/** SQL of the numbers that are shown under a name with a text in it, and the values of its `?`. */
export function numbersNamed(workspace: Owner, text: string): { sql: string; values: readonly unknown[] } {
  const named = containing('contact.name', text)
  // The first condition leaves few names to compare.
  const sought = inSearchText(Contact.searchText, { table: 'contacts', row: 'contact' }, text)
  return {
    sql: `SELECT had.number FROM contacts contact FORCE INDEX (contacts_by_name)
      JOIN contact_numbers had ON had.contact_id = contact.id
      WHERE contact.workspace_id = ? AND ${sought.sql} AND ${named.sql} AND NOT EXISTS (
        SELECT 1 FROM contact_numbers newer WHERE newer.workspace_id = ?
          AND newer.number = had.number AND newer.contact_id > had.contact_id)`,
    values: [workspace.id, ...sought.values, ...named.values, workspace.id],
  }
}
