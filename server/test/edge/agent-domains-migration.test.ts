/** Agents' phones over the upgrade that gives agents a SIP domain of their own, on a real Kamailio. */
import { expect } from 'chai'
import { Database } from '../../src/database/database.js'
import { AgentDomains1790000000127 } from '../../src/database/migrations/0127-agent-domains.js'
import { migrations } from '../../src/database/migrations/index.js'
import { grantToKamailio } from '../../src/edge/database-access.js'
import { entities } from '../../src/entities.js'
import { databaseOfKamailio } from '../support/kamailio.js'
import { type Mariadb, sharedMariadb } from '../support/mariadb.js'
import { accountHashes } from '../support/sip-digest.js'
import { SipPhone } from '../support/sip-phone.js'
import { EdgeWorld } from './accounts.js'

const domain = 'acme.sip.localhost'
const agentsDomain = `agents--${domain}`
const password = 'correct horse'
const times = { created_at: new Date(), updated_at: new Date() }

describe('edge: the migration to SIP domains of agents', function () {
  this.timeout(60_000)
  let mariadb: Mariadb

  before(async () => {
    mariadb = await sharedMariadb()
  })

  const open = async (name: string, some: typeof migrations): Promise<Database> => {
    const { host, port, user, password: login } = mariadb
    const at = { host, port, socket: '', user, password: login, name, pool: 1 }
    const database = new Database(at, entities, some)
    await database.connect()
    await database.source.runMigrations()
    return database
  }
  /** A database as it was before this migration, with the agent anna of the workspace acme. */
  const former = async (): Promise<{ name: string; database: Database }> => {
    const name = await mariadb.createDatabase()
    const database = await open(name, migrations.slice(0, migrations.indexOf(AgentDomains1790000000127)))
    await insert(database, 'workspaces', { id: 'acme', title: 'Acme', country_code: 'US', ...times })
    const person = { role: 'member', is_active: 1, country_code: 'US', password_hash: 'none' }
    await insert(database, 'agents', {
      ...{ id: 'ag_anna', workspace_id: 'acme', username: 'anna', display_name: 'Anna', domain, ...person },
      ...{ ...accountHashes('anna', domain, password), ...times },
    })
    const named = { workspace_id: 'acme', username: 'anna', domain, agent_id: 'ag_anna' }
    await insert(database, 'sip_usernames', named)
    return { name, database }
  }
  const insert = async (database: Database, table: string, row: object) => {
    const values = Object.entries(row)
    await database.source.query(
      `INSERT INTO ${table} (${values.map(([column]) => `\`${column}\``).join(', ')}) VALUES (?)`,
      [values.map((one) => one[1] as unknown)],
    )
  }

  it('leaves a phone registered, and goes on with it as it is set up', async () => {
    const { name, database } = await former()
    // Until then a phone of an agent was kept as one of a SIP account still is.
    const earlier = await EdgeWorld.start()
    const phone = await SipPhone.open(earlier.edge.options, { username: 'anna', domain, password })
    let world: EdgeWorld | undefined
    try {
      const account = await earlier.account('anna')
      await earlier.query('UPDATE sip_accounts SET ? WHERE id = ?', [
        accountHashes('anna', domain, password),
        account.id,
      ])
      expect((await phone.register()).status).to.equal(200)
      const [kept] = await earlier.query("SELECT * FROM location WHERE username = 'anna'")
      expect(kept).to.include({ domain })
      await earlier.stop()
      const { id: _, ...row } = kept as Record<string, unknown>
      await insert(database, 'location', row)
      await database.close()
      const migrated = await open(name, migrations)
      // As the program migrate does, once the migrations are through.
      await grantToKamailio(migrated.source, `${mariadb.kamailio.user}@127.0.0.1`)
      await migrated.close()

      const { sipPort, tlsPort, wsPort, wssPort, privatePort, rpcPort, switchPort } = earlier.edge.options
      const ports = { sipPort, tlsPort, wsPort, wssPort, privatePort, rpcPort, switchPort }
      world = await EdgeWorld.start({ ...ports, database: databaseOfKamailio(mariadb, name) }, mariadb)
      const fabric = await SipPhone.asSwitch(world.edge.options)
      const rings = async () => {
        const to = `sip:anna@${agentsDomain}`
        return (await fabric.request('INVITE', to, { to, extra: ['X-Edge-Destination: account'] })).status
      }
      expect(await rings(), 'before it registers again').to.equal(200)
      expect(phone.requests.filter((request) => request.startsWith('INVITE'))).to.have.length(1)
      expect((await phone.register()).status).to.equal(200)
      const after = await world.query("SELECT domain, contact FROM location WHERE username = 'anna'")
      expect(after).to.deep.equal([{ domain: agentsDomain, contact: row['contact'] }])
      expect(await rings()).to.equal(200)
      const to = `sip:100@${domain}`
      expect((await phone.authorised('INVITE', to, { to })).status).to.equal(200)
      expect(fabric.requests.at(-1)).to.include('X-Edge-Account: ag_anna')
      // And at the new domain without a new password.
      const renewed = await SipPhone.open(world.edge.options, {
        ...{ username: 'anna', domain: agentsDomain, password },
      })
      expect((await renewed.register()).status).to.equal(200)
      renewed.close()
      fabric.close()
    } finally {
      phone.close()
      await world?.stop()
    }
  })

  it('answers what an edge asks that is not of this version yet', async () => {
    const { name, database } = await former()
    const ask = async (of: Database) =>
      of.source.query<object[]>(
        'SELECT account_id, workspace_id, ha1b_sha256 AS ha1 FROM subscriber WHERE username = ? AND domain = ?',
        ['anna', domain],
      )
    const before = await ask(database)
    expect(before).to.have.length(1)
    await database.close()
    const now = await open(name, migrations)
    expect(await ask(now)).to.deep.equal(before)
    await now.close()
  })

  it('forgets what an edge was still to forget, at the domain where it is kept by then', async () => {
    const { name, database } = await former()
    const payload = JSON.stringify({ addresses: [{ username: 'anna', domain }] })
    const job = { id: 'job_1', kind: 'edge.forget', payload, due_at: new Date(), created_at: new Date() }
    await insert(database, 'outbox', job)
    await database.close()
    const now = await open(name, migrations)
    const [found] = await now.source.query<{ payload: string }[]>(
      "SELECT CONCAT(payload, '') AS payload FROM outbox",
    )
    expect(JSON.parse(found!.payload)).to.deep.equal({
      addresses: [
        { username: 'anna', domain },
        { username: 'anna', domain: agentsDomain },
      ],
    })
    await now.close()
  })

  it('does not begin where two workspaces would share a domain', async () => {
    const { name, database } = await former()
    await insert(database, 'workspaces', { id: 'agents--acme', title: 'Acme', country_code: 'US', ...times })
    await database.close()
    const error = await open(name, migrations).then(
      () => null,
      (reason: unknown) => reason as Error,
    )
    expect(error?.message).to.include('The workspaces agents--acme have the SIP domains')
  })

  it('is taken back as it was', async () => {
    const { name, database } = await former()
    const rows = async (of: Database) => [
      await of.source.query<object[]>('SELECT * FROM agents'),
      await of.source.query<object[]>('SELECT * FROM sip_usernames'),
      await of.source.query<object[]>('SELECT * FROM subscriber'),
    ]
    const before = await rows(database)
    await database.close()
    const now = await open(name, migrations.slice(0, migrations.indexOf(AgentDomains1790000000127) + 1))
    await now.source.undoLastMigration()
    expect(await rows(now)).to.deep.equal(before)
    await now.close()
  })
})
