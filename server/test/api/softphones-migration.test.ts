/** What becomes of agents and SIP accounts that were there before their names had to differ. */
import { expect } from 'chai'
import { Database } from '../../src/database/database.js'
import { SoftphonesOfAgents1790000000016 } from '../../src/database/migrations/0016-softphones-of-agents.js'
import { migrations } from '../../src/database/migrations/index.js'
import { entities } from '../../src/entities.js'
import { nameAgent, placeAgent } from '../../src/sip-accounts/sip-usernames.js'
import { sharedMariadb } from '../support/mariadb.js'

describe('the migration to softphones of agents', function () {
  this.timeout(60_000)
  let database: Database
  const workspace_id = 'acme'
  const domain = 'acme.sip.localhost'
  const times = { created_at: new Date(), updated_at: new Date() }

  before(async () => {
    const mariadb = await sharedMariadb()
    const name = await mariadb.createDatabase()
    const { host, port, user, password } = mariadb
    const open = async (upTo: typeof migrations) => {
      const opened = new Database({ host, port, socket: '', user, password, name, pool: 1 }, entities, upTo)
      await opened.connect()
      await opened.source.runMigrations()
      return opened
    }
    const earlier = await open(migrations.slice(0, migrations.indexOf(SoftphonesOfAgents1790000000016)))
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
    database = await open(migrations)
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

  it('lets the agent have it once the SIP account has gone, or another name before', async () => {
    const anna = { id: 'ag_anna', workspace_id, username: 'anna', domain }
    const placed = async () => database.transaction(async (tx) => placeAgent(tx, anna))
    await placed()
    expect((await names())[0]).to.include({ sip_account_id: 'si_anna', agent_id: null })
    await database.source.query("DELETE FROM sip_accounts WHERE id = 'si_anna'")
    await placed()
    await placed()
    expect((await names())[0]).to.deep.equal(row('anna', { domain, agent_id: 'ag_anna' }))
    await database.transaction(async (tx) => nameAgent(tx, { ...anna, username: 'zoe' }))
    expect((await names()).at(-1)).to.deep.equal(row('zoe', { domain, agent_id: 'ag_anna' }))
    expect(await names()).to.have.length(3)
  })
})
