/** SIP accounts as the server writes them, for tests of the edge alone. */
import { createConnection } from 'mysql2/promise'
import { randomBytes } from 'node:crypto'
import { startKamailio, type Kamailio } from '../support/kamailio.js'
import { sharedMariadb } from '../support/mariadb.js'
import { accountHashes } from '../support/sip-digest.js'

export interface Account {
  id: string
  workspace: string
  username: string
  domain: string
  password: string
}

/** An edge whose database a test looks into. */
export class EdgeWorld {
  private constructor(readonly edge: Kamailio) {}

  static async start(overrides: Parameters<typeof startKamailio>[0] = {}): Promise<EdgeWorld> {
    return new EdgeWorld(await startKamailio(overrides))
  }

  async stop(): Promise<void> {
    await this.edge.stop()
  }

  /** Runs a statement with the server's rights. */
  async query(sql: string, values: unknown[] = []): Promise<any[]> {
    const { host, port, user, password } = await sharedMariadb()
    const database = this.edge.options.database.name
    const connection = await createConnection({ host, port, user, password, database })
    try {
      const [rows] = await connection.query(sql, values)
      return rows as any[]
    } finally {
      await connection.end()
    }
  }

  async account(username = `u${randomBytes(4).toString('hex')}`, workspace = 'acme'): Promise<Account> {
    const account = {
      id: `si_${randomBytes(8).toString('hex')}`,
      domain: `${workspace}.${this.edge.options.sipDomain}`,
      password: randomBytes(6).toString('hex'),
      ...{ username, workspace },
    }
    await this.query(
      `INSERT IGNORE INTO workspaces (id, title, country_code, created_at, updated_at) VALUES (?, ?, 'US', NOW(3), NOW(3))`,
      [workspace, workspace],
    )
    await this.query('INSERT INTO sip_accounts SET ?, created_at = NOW(3), updated_at = NOW(3)', [
      {
        ...{ id: account.id, workspace_id: workspace, title: username, username, domain: account.domain },
        ...accountHashes(username, account.domain, account.password),
      },
    ])
    return account
  }

  /** What is registered, as Kamailio wrote it. */
  async registrations(username: string): Promise<{ contact: string; received: string; socket: string }[]> {
    return this.query('SELECT contact, received, socket, expires FROM location WHERE username = ?', [
      username,
    ])
  }
}
