/** SIP accounts and extensions as calls see them: who may be dialled within a workspace. */
import type { Database } from '../database/database.js'
import type { Owner } from '../database/workspace-table.js'

/** A SIP account: whatever is registered with it rings together. */
export interface Phone {
  /** `si_…` */
  id: string
  workspace_id: string
  title: string
  username: string
  domain: string
  /** Digits of the number that it shows in the telephone network; null when it may not call there. */
  outbound_caller_id: string | null
  /** What others dial to reach it; its lowest extension, or null. */
  extension: string | null
}

/** What an extension leads to. */
export interface ExtensionTarget {
  title: string
  destination: 'agent' | 'team' | 'sip-account' | 'voice-agent'
  /** Set when it leads to a SIP account. */
  phone: Phone | null
}

interface ExtensionRow {
  title: string
  destination: ExtensionTarget['destination']
  sip_account_id: string | null
}

const selectPhone = `
  SELECT account.id, account.workspace_id, account.title, account.username, account.domain, account.outbound_caller_id,
         (SELECT MIN(extension_number) FROM extensions
           WHERE workspace_id = account.workspace_id AND sip_account_id = account.id) AS extension
    FROM sip_accounts account
   WHERE account.workspace_id = ? AND`

export class Phones {
  constructor(private readonly database: Database) {}

  async find(workspace: Owner, accountId: string): Promise<Phone | null> {
    return this.one(`${selectPhone} account.id = ?`, [workspace.id, accountId])
  }

  async withUsername(workspace: Owner, username: string): Promise<Phone | null> {
    return this.one(`${selectPhone} account.username = ?`, [workspace.id, username])
  }

  /** The SIP account that `sip:username@domain` names, when it is one of the workspace. */
  async at(workspace: Owner, username: string, domain: string): Promise<Phone | null> {
    const sql = `${selectPhone} account.username = ? AND account.domain = ?`
    return this.one(sql, [workspace.id, username, domain])
  }

  async extension(workspace: Owner, number: string): Promise<ExtensionTarget | null> {
    const sql =
      'SELECT title, destination, sip_account_id FROM extensions WHERE workspace_id = ? AND extension_number = ?'
    const rows: ExtensionRow[] = await this.database.source.query(sql, [workspace.id, number])
    const [row] = rows
    if (!row) return null
    const phone = row.sip_account_id ? await this.find(workspace, row.sip_account_id) : null
    return { title: row.title, destination: row.destination, phone }
  }

  private async one(sql: string, values: string[]): Promise<Phone | null> {
    const rows: Phone[] = await this.database.source.query(sql, values)
    return rows[0] ?? null
  }
}
