/** Agents' phones that still register at the domain of SIP accounts, which is the realm of their digests: on a real Kamailio. */
import { expect } from 'chai'
import { Database } from '../../src/infrastructure/database/database.js'
import { migrations } from '../../src/infrastructure/database/migrations/index.js'
import { grantToKamailio } from '../../src/adapters/kamailio/database-access.js'
import { entities } from '../../src/app/entities.js'
import { databaseOfKamailio } from '../support/kamailio.js'
import { sharedMariadb } from '../support/mariadb.js'
import { accountHashes } from '../support/sip-digest.js'
import { SipPhone } from '../support/sip-phone.js'
import { EdgeWorld } from './accounts.js'

const domain = 'acme.sip.localhost'
const agentsDomain = `agents--${domain}`
const password = 'correct horse'
const times = { created_at: new Date(), updated_at: new Date() }

describe('edge: agents whose digests have the domain of SIP accounts', function () {
  this.timeout(60_000)
  let database: Database
  let world: EdgeWorld

  const insert = async (table: string, row: object) => {
    const values = Object.entries(row)
    await database.source.query(
      `INSERT INTO ${table} (${values.map(([column]) => `\`${column}\``).join(', ')}) VALUES (?)`,
      [values.map((one) => one[1] as unknown)],
    )
  }
  const agent = async (username: string) => {
    const person = { role: 'member', is_active: 1, country_code: 'US', password_hash: 'none' }
    await insert('agents', {
      ...{ id: `ag_${username}`, workspace_id: 'acme', username, display_name: username, ...person },
      ...{ domain: agentsDomain, realm: domain, ...accountHashes(username, domain, password), ...times },
    })
  }
  const account = async (username: string) =>
    insert('sip_accounts', {
      ...{ id: `si_${username}`, workspace_id: 'acme', title: 'x', username, domain, ...times },
      ...accountHashes(username, domain, password),
    })

  before(async () => {
    const mariadb = await sharedMariadb()
    const name = await mariadb.createDatabase()
    const { host, port, user, password: login } = mariadb
    const at = { host, port, socket: '', user, password: login, name, pool: 1 }
    database = new Database(at, entities, migrations)
    await database.connect()
    await database.source.runMigrations()
    await grantToKamailio(database.source, `${mariadb.kamailio.user}@127.0.0.1`)
    await insert('workspaces', { id: 'acme', title: 'Acme', country_code: 'US', ...times })
    await agent('anna')
    world = await EdgeWorld.start({ database: databaseOfKamailio(mariadb, name) }, mariadb)
  })
  after(async () => {
    await world?.stop()
    await database?.close()
  })

  it('register there and at their own domain, and are found at their own', async () => {
    const phone = await SipPhone.open(world.edge.options, { username: 'anna', domain, password })
    const renewed = await SipPhone.open(world.edge.options, {
      ...{ username: 'anna', domain: agentsDomain, password },
    })
    const fabric = await SipPhone.asSwitch(world.edge.options)
    try {
      expect((await phone.register()).status).to.equal(200)
      const registered = await world.query("SELECT domain FROM location WHERE username = 'anna'")
      expect(registered).to.deep.equal([{ domain: agentsDomain }])
      const agents = `sip:anna@${agentsDomain}`
      const rung = await fabric.request('INVITE', agents, {
        ...{ to: agents, extra: ['X-Edge-Destination: account'] },
      })
      expect(rung.status).to.equal(200)
      expect(phone.requests.filter((request) => request.startsWith('INVITE'))).to.have.length(1)
      const to = `sip:100@${domain}`
      expect((await phone.authorised('INVITE', to, { to })).status).to.equal(200)
      expect(fabric.requests.at(-1)).to.include('X-Edge-Account: ag_anna')
      expect((await renewed.register()).status).to.equal(200)
    } finally {
      phone.close()
      renewed.close()
      fabric.close()
    }
  })

  it('are looked up by an edge of the version before, too', async () => {
    const rows = await database.source.query<object[]>(
      'SELECT account_id, workspace_id, ha1b_sha256 AS ha1 FROM subscriber WHERE username = ? AND domain = ?',
      ['anna', domain],
    )
    const { ha1b_sha256: ha1 } = accountHashes('anna', domain, password)
    expect(rows).to.deep.equal([{ account_id: 'ag_anna', workspace_id: 'acme', ha1 }])
  })

  it('leave a name that a SIP account has to the account, and keep it at their own domain', async () => {
    await agent('bob')
    await agent('desk')
    await account('anna')
    await account('desk')
    const found = await database.source.query(
      'SELECT account_id, domain, aor_domain FROM subscriber ORDER BY account_id, domain',
    )
    expect(found).to.deep.equal([
      { account_id: 'ag_anna', domain: agentsDomain, aor_domain: agentsDomain },
      { account_id: 'ag_bob', domain, aor_domain: agentsDomain },
      { account_id: 'ag_bob', domain: agentsDomain, aor_domain: agentsDomain },
      { account_id: 'ag_desk', domain: agentsDomain, aor_domain: agentsDomain },
      { account_id: 'si_anna', domain, aor_domain: domain },
      { account_id: 'si_desk', domain, aor_domain: domain },
    ])
  })
})
