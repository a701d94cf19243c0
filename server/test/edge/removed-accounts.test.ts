/** What becomes of phones when their account changes through the API: the server and a real Kamailio. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { Appliance, type TestWorkspace } from '../support/appliance.js'
import { query } from '../api/database.js'
import { agentInput, sipAccountInput, succeed } from '../api/fixtures.js'
import { type PhoneOptions, SipPhone } from '../support/sip-phone.js'

interface Account {
  id: string
  username: string
  domain: string
}

describe('edge: accounts that change', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let phones: SipPhone[] = []

  before(async () => {
    appliance = await Appliance.start({ switch: 'sandbox', edge: {} })
  })
  beforeEach(async () => {
    workspace = await appliance.workspace({ credit: 0 })
  })
  afterEach(() => {
    for (const phone of phones) phone.close()
    phones = []
  })
  after(async () => appliance?.stop())

  const password = 'correct horse'
  const create = async (): Promise<Account> =>
    succeed(workspace.api.post('/sip-accounts', { ...sipAccountInput(), password }))
  const register = async (account: Account, changes: Partial<PhoneOptions> = {}): Promise<number> => {
    const { username, domain } = account
    const phone = await SipPhone.open(appliance.kamailio!.options, { username, domain, password, ...changes })
    phones.push(phone)
    return (await phone.register()).status
  }
  const registered = async ({ username, domain }: Account): Promise<number> => {
    const rows = await query(appliance, 'SELECT id FROM location WHERE username = ? AND domain = ?', [
      username,
      domain,
    ])
    return rows.length
  }
  /** Whether Kamailio knows an address in its memory, from which it routes calls. */
  const known = async ({ username, domain }: Account): Promise<boolean> =>
    appliance.kamailio!.rpc('ul.lookup', ['location', `${username}@${domain}`]).then(
      () => true,
      () => false,
    )

  it('register at once when they are made, with either digest', async () => {
    const account = await create()
    expect(await register(account)).to.equal(200)
    expect(await register(account, { algorithm: 'SHA-256', transport: 'tcp' })).to.equal(200)
    expect(await register(account, { longName: true })).to.equal(200)
    expect(await registered(account)).to.equal(3)
    expect(await register(account, { password: 'wrong horse' })).to.equal(401)
  })

  it('lose their phones with their deletion, before its answer, and nobody else does', async () => {
    const [account, other] = [await create(), await create()]
    for (const one of [account, other]) expect(await register(one)).to.equal(200)
    expect(await register(account, { transport: 'tcp' })).to.equal(200)
    expect(await known(account)).to.equal(true)
    await succeed(workspace.api.delete(`/sip-accounts/${account.id}`))
    expect(await registered(account)).to.equal(0)
    expect(await known(account)).to.equal(false)
    expect(await register(account)).to.equal(401)
    expect(await registered(other)).to.equal(1)
    expect(await known(other)).to.equal(true)
  })

  it('lose their phones with their password, until they register with the new one', async () => {
    const account = await create()
    expect(await register(account)).to.equal(200)
    const path = `/sip-accounts/${account.id}`
    await succeed(workspace.api.patch(path, { title: 'Other' }))
    expect(await known(account)).to.equal(true)
    await succeed(workspace.api.patch(path, { password: 'battery staple' }))
    expect(await registered(account)).to.equal(0)
    expect(await known(account)).to.equal(false)
    expect(await register(account)).to.equal(401)
    expect(await register(account, { password: 'battery staple' })).to.equal(200)
    expect(await registered(account)).to.equal(1)
  })

  it('lose phones that register in the very moment, too', async () => {
    for (let round = 0; round < 10; round++) {
      const account = await create()
      const { username, domain } = account
      const stubborn = await Promise.all(
        Array.from({ length: 6 }, async () =>
          SipPhone.open(appliance.kamailio!.options, { username, domain, password }),
        ),
      )
      phones.push(...stubborn)
      const refused = stubborn.map(async (phone) => {
        while ((await phone.register({ patienceMs: 15_000 })).status === 200);
      })
      await sleep(20 + round * 3)
      const path = `/sip-accounts/${account.id}`
      if (round % 2) await succeed(workspace.api.delete(path))
      else await succeed(workspace.api.patch(path, { password: 'battery staple' }))
      await Promise.all(refused)
      await eventually(
        async () => (await registered(account)) > 0 || (await known(account)),
        (still) => !still,
        { withinMs: 1_000, what: `account without phones in round ${round}` },
      )
    }
  })

  it('lose their phones though edge and server both die before they are told', async () => {
    const account = await create()
    expect(await register(account)).to.equal(200)
    await appliance.kamailio!.restart(async () => {
      await succeed(workspace.api.patch(`/sip-accounts/${account.id}`, { password: 'battery staple' }))
      await appliance.killServer()
    })
    expect(await known(account), 'the edge has come back with it').to.equal(true)
    await appliance.startServer()
    await eventually(
      async () => known(account),
      (still) => !still,
      { withinMs: 10_000, what: 'phone that is gone' },
    )
    expect(await registered(account)).to.equal(0)
    expect(await register(account)).to.equal(401)
    expect(await register(account, { password: 'battery staple' })).to.equal(200)
  })

  it('have digests kept at the edge, which go with the password, the account, the agent and the account’s name', async () => {
    const isKept = async (username: string, domain: string): Promise<boolean> =>
      appliance.kamailio!.rpc('htable.get', ['digests', `${username}@${domain}`]).then(
        () => true,
        () => false,
      )
    const [changed, deleted] = [await create(), await create()]
    const input = agentInput()
    const agent = await succeed(workspace.api.post('/agents', { ...input, password }))
    const realm = changed.domain
    const ofAgent = { ...changed, username: input.username }
    for (const account of [changed, deleted, ofAgent]) {
      expect(await register(account)).to.equal(200)
      expect(await isKept(account.username, realm)).to.equal(true)
    }
    expect(await register({ ...ofAgent, domain: `agents--${realm}` })).to.equal(200)

    await succeed(workspace.api.patch(`/sip-accounts/${changed.id}`, { password: 'battery staple' }))
    await succeed(workspace.api.delete(`/sip-accounts/${deleted.id}`))
    await succeed(workspace.api.patch(`/agents/${agent.id}`, { is_active: false }))
    for (const account of [changed, deleted, ofAgent]) {
      expect(await isKept(account.username, realm), account.username).to.equal(false)
      expect(await register(account)).to.equal(401)
    }
    expect(await isKept(input.username, `agents--${realm}`)).to.equal(false)
    expect(await register({ ...ofAgent, domain: `agents--${realm}` })).to.equal(401)
  })

  it('have digests that count no longer while the edge cannot be reached', async () => {
    const account = await create()
    expect(await register(account)).to.equal(200)
    const isConfirmed = async (): Promise<boolean> =>
      appliance.kamailio!.rpc('htable.get', ['confirmed', 'digests']).then(
        () => true,
        () => false,
      )
    await eventually(isConfirmed, (is) => is, { withinMs: 10_000, what: 'edge that may use what it keeps' })
    // As if the request had been lost: the job stays.
    await query(
      appliance,
      "INSERT INTO outbox SET id = 'job_stuck', kind = 'edge.forget', cell = 'one', payload = '{}', due_at = NOW(3) + INTERVAL 1 HOUR, created_at = NOW(3) - INTERVAL 1 MINUTE",
    )
    await appliance.kamailio!.rpc('htable.delete', ['confirmed', 'digests'])
    await sleep(6_000)
    expect(await isConfirmed()).to.equal(false)
    await query(appliance, 'UPDATE sip_accounts SET ha1 = REVERSE(ha1) WHERE id = ?', [account.id])
    expect(await register(account)).to.equal(401)
    await query(appliance, "DELETE FROM outbox WHERE id = 'job_stuck'")
    await eventually(isConfirmed, (is) => is, { withinMs: 10_000, what: 'edge that may again' })
  })

  it('lose their phones with their workspace', async () => {
    const account = await create()
    expect(await register(account)).to.equal(200)
    await succeed(appliance.operator.delete(`/workspaces/${workspace.id}`))
    await eventually(
      async () => known(account),
      (still) => !still,
      { withinMs: 5_000, what: 'phone that is gone' },
    )
    expect(await register(account)).to.equal(401)
  })
})
