/** SIP accounts as the server writes them, for tests of the edge alone. */
import { randomBytes } from 'node:crypto'
import { startKamailio, type Kamailio } from '../support/kamailio.js'
import { type Mariadb, runStatement, sharedMariadb } from '../support/mariadb.js'
import { accountHashes } from '../support/sip-digest.js'

export interface Account {
  id: string
  workspace: string
  username: string
  domain: string
  password: string
}

/** A row of the table location. */
export interface Registration {
  contact: string
  received: string | null
  path: string | null
  /** Until it expires. */
  seconds: number
}

/** An edge whose database a test looks into. */
export class EdgeWorld {
  private constructor(
    readonly edge: Kamailio,
    private readonly mariadb: Mariadb,
  ) {}

  /** @param mariadb the one that `overrides.database` lies in, when that is given */
  static async start(
    overrides: Parameters<typeof startKamailio>[0] = {},
    mariadb?: Mariadb,
  ): Promise<EdgeWorld> {
    return new EdgeWorld(await startKamailio(overrides), mariadb ?? (await sharedMariadb()))
  }

  /** @throws when Kamailio has not lived to the end */
  async stop(): Promise<void> {
    const { obituary, log } = this.edge
    await this.edge.stop()
    if (obituary)
      throw new Error(
        [obituary, ...log.split('\n').filter((line) => / (ALERT|EMERG): /.test(line))].join('\n'),
      )
  }

  /** Runs a statement with the server's rights. */
  async query(sql: string, values: unknown[] = []): Promise<any[]> {
    return runStatement(this.mariadb, this.edge.options.database.name, sql, values)
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
  async registrations(username: string): Promise<Registration[]> {
    return this.query(
      `SELECT contact, received, path, expires - UNIX_TIMESTAMP() AS seconds
       FROM location WHERE username = ? ORDER BY id`,
      [username],
    )
  }
}
