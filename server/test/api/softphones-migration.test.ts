/** Agents and SIP accounts of one name that were there before their names had to differ, and while they had to. */
import { expect } from 'chai'
import { Database } from '../../src/database/database.js'
import { SoftphonesOfAgents1790000000016 } from '../../src/database/migrations/0016-softphones-of-agents.js'
import { migrations } from '../../src/database/migrations/index.js'
import { entities } from '../../src/entities.js'
import { sharedMariadb } from '../support/mariadb.js'

describe('the migration to softphones of agents', function () {
  this.timeout(60_000)
  let database: Database
  let upTo: (index: number) => Promise<Database>
  const own = migrations.indexOf(SoftphonesOfAgents1790000000016)
  const workspace_id = 'acme'
  const domain = 'acme.sip.localhost'
  const times = { created_at: new Date(), updated_at: new Date() }

  before(async () => {
    const mariadb = await sharedMariadb()
    const name = await mariadb.createDatabase()
    const { host, port, user, password } = mariadb
    upTo = async (count) => {
      const some = migrations.slice(0, count)
      const opened = new Database({ host, port, socket: '', user, password, name, pool: 1 }, entities, some)
      await opened.connect()
      await opened.source.runMigrations()
      return opened
    }
    const earlier = await upTo(own)
    const insert = async (table: string, row: object) => {
      const values = Object.entries({ ...row, ...times })
      const columns = values.map(([column]) => column).join(', ')
      await earlier.source.query(`INSERT INTO ${table} (${columns}) VALUES (?)`, [
        values.map((one) => one[1]),
      ])
    }
    await insert('workspaces', { id: workspace_id, title: 'Acme', country_code: 'US' })
    for (const username of ['anna', 'desk']) {
      const hashes = { ha1: 'a', ha1b: 'b', ha1_sha256: 'c', ha1b_sha256: 'd' }
      await insert('sip_accounts', {
        id: `si_${username}`,
        workspace_id,
        title: 'x',
        username,
        domain,
        ...hashes,
      })
    }
    for (const username of ['anna', 'bob']) {
      const rest = { role: 'member', is_active: 1, country_code: 'US', password_hash: 'none' }
      await insert('agents', { id: `ag_${username}`, workspace_id, username, display_name: 'x', ...rest })
    }
    await earlier.close()
    database = await upTo(own + 1)
  })
  after(async () => database?.close())

  const names = async () => database.source.query<object[]>('SELECT * FROM sip_usernames ORDER BY username')
  const row = (username: string, changes: object) => ({
    ...{ workspace_id, username, domain: null, sip_account_id: null, agent_id: null },
    ...changes,
  })

  it('leaves a name that both have to the SIP account, and nobody unable to register who could', async () => {
    const found = await database.source.query('SELECT account_id FROM subscriber ORDER BY account_id')
    expect(found).to.deep.equal([{ account_id: 'si_anna' }, { account_id: 'si_desk' }])
    expect(await names()).to.deep.equal([
      row('anna', { domain, sip_account_id: 'si_anna' }),
      row('bob', { agent_id: 'ag_bob' }),
      row('desk', { domain, sip_account_id: 'si_desk' }),
    ])
  })

  it('gives the agent the name, too, once each has a domain of its own', async () => {
    await database.close()
    database = await upTo(migrations.length)
    const agents = 'agents--acme.sip.localhost'
    // What setting the password writes.
    await database.source.query(
      "UPDATE agents SET domain = ?, realm = ?, ha1 = 'e', ha1b = 'f', ha1_sha256 = 'g', ha1b_sha256 = 'h' WHERE id IN ('ag_anna', 'ag_bob')",
      [agents, domain],
    )
    const found = await database.source.query(
      'SELECT account_id, domain, aor_domain FROM subscriber ORDER BY account_id, domain',
    )
    expect(found).to.deep.equal([
      { account_id: 'ag_anna', domain: agents, aor_domain: agents },
      { account_id: 'ag_bob', domain, aor_domain: agents },
      { account_id: 'ag_bob', domain: agents, aor_domain: agents },
      { account_id: 'si_anna', domain, aor_domain: domain },
      { account_id: 'si_desk', domain, aor_domain: domain },
    ])
  })
})
