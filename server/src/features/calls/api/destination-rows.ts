/** Reads the agents, teams, phones, contacts and numbers that an agent can call: a query for each kind, each with the rows that match best. */
import type { Database } from '../../../infrastructure/database/database.js'
import { inSearchText } from '../../../infrastructure/database/search-text.js'
import { containing } from '../../../infrastructure/database/search.js'
import { Contact } from '../../contacts/contact.entity.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'

/** Rows of each kind. */
const most = 8

interface Named {
  id: string
  name: string
}

interface AgentRow extends Named {
  username: string
  extension: string | null
}

interface TeamRow extends Named {
  extension: string | null
  /** Counts, as the driver has them. */
  free: number | string
  waiting: number | string
}

interface SipAccountRow extends AgentRow {
  is_registered: 0 | 1
}

interface ExtensionRow extends Named {
  extension: string
}

interface NumberRow extends Named {
  /** Digits with the country calling code. */
  number: string
}

/** The oldest extension that leads to a row of `owner`. */
const extensionOf = (column: string, owner: string) =>
  `(SELECT own.extension_number FROM extensions own WHERE own.${column} = ${owner}.id ORDER BY own.id LIMIT 1)`

/** Whether an extension that leads to a row of `owner` is the number that is searched for; takes one value. */
const hasExtension = (column: string, owner: string) =>
  `EXISTS (SELECT 1 FROM extensions own WHERE own.${column} = ${owner}.id AND own.extension_number LIKE ?)`

export class DestinationRows {
  constructor(private readonly database: Database) {}

  /**
   * Active agents besides the one who asks: exact matches first, then those who are available.
   * @param available ids
   */
  async agents(
    workspace: Owner,
    search: string,
    { except, available }: { except: string; available: readonly string[] },
  ): Promise<AgentRow[]> {
    const [name, username] = [containing('agent.display_name', search), containing('agent.username', search)]
    return this.query<AgentRow>(
      `SELECT agent.id, agent.display_name AS name, agent.username,
         ${extensionOf('agent_id', 'agent')} AS extension
       FROM agents agent
       WHERE agent.workspace_id = ? AND agent.is_active = 1 AND agent.id <> ?
         AND (${name.sql} OR ${username.sql} OR ${hasExtension('agent_id', 'agent')})
       ORDER BY agent.username = ? OR agent.display_name = ? OR ${hasExtension('agent_id', 'agent')} DESC,
         agent.id IN (?) DESC, agent.display_name LIMIT ${most}`,
      [
        ...[workspace.id, except, ...name.values, ...username.values, beginning(search)],
        ...[asUsername(search), search, exactly(search), [...available, '']],
      ],
    )
  }

  /** Teams with their free members and waiting callers. @param available ids of agents */
  async teams(workspace: Owner, search: string, available: readonly string[]): Promise<TeamRow[]> {
    const title = containing('team.title', search)
    return this.query<TeamRow>(
      `SELECT team.id, team.title AS name, ${extensionOf('team_id', 'team')} AS extension,
         (SELECT COUNT(*) FROM team_members member
          WHERE member.team_id = team.id AND member.agent_id IN (?)) AS free,
         (SELECT COUNT(*) FROM queue_entries entry JOIN calls ON calls.id = entry.call_id AND calls.live = 1
          WHERE entry.team_id = team.id) AS waiting
       FROM teams team WHERE team.workspace_id = ? AND (${title.sql} OR ${hasExtension('team_id', 'team')})
       ORDER BY team.title = ? OR ${hasExtension('team_id', 'team')} DESC, team.title LIMIT ${most}`,
      [
        ...[[...available, ''], workspace.id, ...title.values, beginning(search)],
        ...[search, exactly(search)],
      ],
    )
  }

  async sipAccounts(workspace: Owner, search: string): Promise<SipAccountRow[]> {
    const [title, username] = [containing('account.title', search), containing('account.username', search)]
    return this.query<SipAccountRow>(
      // Kamailio's table has a collation of its own: a comparison reads an index only in the collation of that index.
      `SELECT account.id, account.title AS name, account.username,
         ${extensionOf('sip_account_id', 'account')} AS extension,
         EXISTS (SELECT 1 FROM location WHERE location.username = account.username COLLATE ascii_general_ci
           AND location.domain = account.domain COLLATE ascii_general_ci
           AND location.expires > UNIX_TIMESTAMP()) AS is_registered
       FROM sip_accounts account
       WHERE account.workspace_id = ?
         AND (${title.sql} OR ${username.sql} OR ${hasExtension('sip_account_id', 'account')})
       ORDER BY account.username = ? OR account.title = ? OR ${hasExtension('sip_account_id', 'account')} DESC,
         is_registered DESC, account.title LIMIT ${most}`,
      [
        ...[workspace.id, ...title.values, ...username.values, beginning(search)],
        ...[asUsername(search), search, exactly(search)],
      ],
    )
  }

  /** Extensions of any destination that still exists. */
  async extensions(workspace: Owner, search: string): Promise<ExtensionRow[]> {
    const title = containing('extension.title', search)
    return this.query<ExtensionRow>(
      `SELECT extension.id, extension.title AS name, extension.extension_number AS extension
       FROM extensions extension
       WHERE extension.workspace_id = ? AND (${title.sql} OR extension.extension_number LIKE ?)
         AND COALESCE(extension.agent_id, extension.team_id, extension.sip_account_id,
           extension.voice_agent_id) IS NOT NULL
       ORDER BY extension.extension_number = ? OR extension.title = ? DESC, extension.title LIMIT ${most}`,
      [workspace.id, ...title.values, beginning(search), exactly(search), search],
    )
  }

  /**
   * A row for each number of a contact. An agent finds those in address books that are shared with a team of the agent
   * or with all, and those in none.
   */
  async contacts(workspace: Owner, search: string, agentId: string): Promise<NumberRow[]> {
    const digits = /^[+\d\s().-]+$/.test(search) ? nationalDigits(search) : ''
    const table = { table: 'contacts', row: 'contact' }
    const searched = inSearchText(Contact.searchText, table, digits || search)
    return this.query<NumberRow>(
      `SELECT contact.id, contact.name, had.number FROM (
         SELECT contact.id, contact.name FROM contacts contact FORCE INDEX (contacts_by_name)
         WHERE contact.workspace_id = ? AND ${searched.sql} AND (contact.address_book_id IS NULL OR EXISTS (
           SELECT 1 FROM address_books book WHERE book.id = contact.address_book_id
             AND (JSON_LENGTH(book.shared_teams_id) = 0 OR EXISTS (
               SELECT 1 FROM address_book_teams share
               JOIN team_members member ON member.team_id = share.team_id AND member.agent_id = ?
               WHERE share.address_book_id = book.id))))
         ORDER BY contact.name = ? DESC, contact.name LIMIT ${most}
       ) contact JOIN contact_numbers had ON had.contact_id = contact.id AND had.number LIKE ?
       ORDER BY contact.name = ? DESC, contact.name, had.number LIMIT ${most}`,
      [workspace.id, ...searched.values, agentId, search, `%${digits}%`, search],
    )
  }

  /** Active numbers of the workspace that a call flow answers. */
  async phoneNumbers(workspace: Owner, search: string): Promise<NumberRow[]> {
    const title = containing('own.title', search)
    const digits = nationalDigits(search)
    return this.query<NumberRow>(
      `SELECT own.id, own.title AS name, own.number FROM phone_numbers own
       WHERE own.workspace_id = ? AND own.status = 'active' AND own.call_flow_id IS NOT NULL
         AND JSON_CONTAINS(own.capabilities, '"voice"') AND (${title.sql} OR own.number LIKE ?)
       ORDER BY own.title = ? DESC, own.title LIMIT ${most}`,
      [workspace.id, ...title.values, digits.length >= 3 ? `%${digits}%` : '', search],
    )
  }

  private async query<Row>(sql: string, values: unknown[]): Promise<Row[]> {
    return this.database.source.query<Row[]>(sql, values)
  }
}

/** Extensions are digits: what is none matches no extension. */
function exactly(search: string): string {
  return /^\d{1,6}$/.test(search) ? search : ''
}

function beginning(search: string): string {
  return /^\d{1,6}$/.test(search) ? `${search}%` : ''
}

/** The column holds ASCII, with which other letters cannot be compared. */
function asUsername(search: string): string {
  return /^[a-z0-9-]+$/i.test(search) ? search.toLowerCase() : ''
}

function digitsOf(search: string): string {
  return search.replace(/\D/g, '')
}

/** Numbers are kept with their country code, in whose place a national number begins with 0. */
function nationalDigits(search: string): string {
  return digitsOf(search).replace(/^0+(?=\d)/, '')
}
