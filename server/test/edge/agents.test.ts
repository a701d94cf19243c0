/** Softphones of agents at a real Kamailio, and the presence that comes of them. */
import { expect } from 'chai'
import { agentInput, newName, sipAccountInput, succeed } from '../api/fixtures.js'
import { eventually } from '../support/api-client.js'
import { Appliance, type TestWorkspace } from '../support/appliance.js'
import { query } from '../api/database.js'
import { type PhoneOptions, SipPhone } from '../support/sip-phone.js'

interface Agent {
  id: string
  username: string
  domain: string
}

describe('edge: softphones of agents', function () {
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
  const create = async (changes: object = {}): Promise<Agent> =>
    succeed(workspace.api.post('/agents', { ...agentInput(), password, ...changes }))
  const open = async (agent: Agent, changes: Partial<PhoneOptions> = {}): Promise<SipPhone> => {
    const { username, domain } = agent
    const phone = await SipPhone.open(appliance.kamailio!.options, { username, domain, password, ...changes })
    phones.push(phone)
    return phone
  }
  const register = async (agent: Agent, changes: Partial<PhoneOptions> = {}) =>
    (await (await open(agent, changes)).register()).status
  const state = async ({ id }: Agent): Promise<string> =>
    (await succeed(workspace.api.get(`/agents/${id}`))).state
  const inState = async (wanted: string): Promise<string[]> =>
    (await succeed(workspace.api.get(`/agents?state=${wanted}&sort_order=asc`))).data.map(
      ({ id }: Agent) => id,
    )

  it('register with the agent’s password by either digest, and make the agent available', async () => {
    const [agent, other] = [await create(), await create()]
    expect(await state(agent)).to.equal('offline')
    expect(await register(agent)).to.equal(200)
    expect(await register(agent, { algorithm: 'SHA-256', transport: 'tcp' })).to.equal(200)
    expect(await register(agent, { longName: true })).to.equal(200)
    expect(await state(agent)).to.equal('available')
    expect(await inState('available')).to.deep.equal([agent.id])
    expect(await inState('offline')).to.deep.equal([other.id])
    expect(await register(other, { password: 'wrong horse' })).to.equal(401)
  })

  it('of two workspaces with one name each are the right one’s', async () => {
    const agent = await create()
    const foreign = await appliance.workspace({ credit: 0 })
    const namesake = { ...agentInput(), username: agent.username, password: 'battery staple' }
    const other: Agent = await succeed(foreign.api.post('/agents', namesake))
    expect(await register(other)).to.equal(401)
    expect(await register(other, { password: 'battery staple' })).to.equal(200)
    expect(await state(agent)).to.equal('offline')
    expect((await succeed(foreign.api.get(`/agents/${other.id}`))).state).to.equal('available')
  })

  it('are gone when the agent is made inactive, and come back with it', async () => {
    const agent = await create()
    expect(await register(agent)).to.equal(200)
    await succeed(workspace.api.patch(`/agents/${agent.id}`, { is_active: false }))
    expect(await state(agent)).to.equal('offline')
    expect(await register(agent)).to.equal(401)
    await succeed(workspace.api.patch(`/agents/${agent.id}`, { is_active: true }))
    expect(await register(agent)).to.equal(200)
  })

  it('are gone with the old password and the old name, which may have hyphens', async () => {
    const agent = await create()
    expect(await register(agent)).to.equal(200)
    await succeed(workspace.api.patch(`/agents/${agent.id}/password`, { password: 'battery staple' }))
    expect(await state(agent)).to.equal('offline')
    expect(await register(agent)).to.equal(401)
    expect(await register(agent, { password: 'battery staple' })).to.equal(200)
    const renamed = { ...agent, username: `${agent.username}-2` }
    await succeed(workspace.api.patch(`/agents/${agent.id}`, { username: renamed.username }))
    expect(await state(agent)).to.equal('offline')
    for (const one of [agent, renamed]) {
      expect(await register(one, { password: 'battery staple' }), one.username).to.equal(401)
    }
    await succeed(workspace.api.patch(`/agents/${agent.id}/password`, { password }))
    expect(await register(renamed)).to.equal(200)
    expect(await state(agent)).to.equal('available')
  })

  it('that take themselves off leave the agent offline', async () => {
    const agent = await create()
    const phone = await open(agent)
    expect((await phone.register()).status).to.equal(200)
    expect(await state(agent)).to.equal('available')
    await phone.register({ expires: 0 })
    await eventually(
      async () => state(agent),
      (now) => now === 'offline',
    )
  })

  it('are known to the switch as the agent’s when they call', async () => {
    const agent = await create()
    const fabric = await SipPhone.asSwitch(appliance.kamailio!.options)
    phones.push(fabric)
    const phone = await open(agent)
    const to = `sip:100@${agent.domain}`
    expect((await phone.authorised('INVITE', to, { to })).status).to.equal(200)
    expect(fabric.requests[0]).to.include(`X-Edge-Account: ${agent.id}`)
    expect(fabric.requests[0]).to.include(`X-Edge-Workspace: ${workspace.id}`)
  })

  describe('at the domain of SIP accounts, as in former versions', () => {
    const formerly = (agent: Agent): Agent => ({ ...agent, domain: agent.domain.replace(/^agents--/, '') })
    const account = async (username: string): Promise<Agent> =>
      succeed(
        workspace.api.post('/sip-accounts', { ...sipAccountInput(), username, password: 'battery staple' }),
      )
    const kept = async ({ username }: Agent): Promise<string[]> =>
      (
        await query(appliance, 'SELECT DISTINCT domain FROM location WHERE username = ? ORDER BY domain', [
          username,
        ])
      ).map(({ domain }) => domain as string)
    /** Which account the edge says that a phone's call is of; undefined where it lets none through. */
    const callerOf = async (phone: SipPhone, fabric: SipPhone): Promise<string | undefined> => {
      const before = fabric.requests.length
      const to = `sip:100@${phone.options.domain}`
      await phone.authorised('INVITE', to, { to })
      return /X-Edge-Account: (\S+)/.exec(fabric.requests[before] ?? '')?.[1]
    }

    it('go on, and are the agent’s: presence, calls both ways, all digests', async () => {
      const agent = await create()
      const fabric = await SipPhone.asSwitch(appliance.kamailio!.options)
      phones.push(fabric)
      const old = await open(formerly(agent))
      expect((await old.register()).status).to.equal(200)
      for (const algorithm of ['MD5', 'SHA-256'] as const) {
        expect(await register(formerly(agent), { algorithm, longName: true, transport: 'tcp' })).to.equal(200)
        expect(await register(agent, { algorithm, longName: true, transport: 'tcp' })).to.equal(200)
      }
      expect(await kept(agent)).to.deep.equal([agent.domain])
      expect(await state(agent)).to.equal('available')
      expect(await callerOf(old, fabric)).to.equal(agent.id)
      const to = `sip:${agent.username}@${agent.domain}`
      await fabric.request('INVITE', to, { to, extra: ['X-Edge-Destination: account'] })
      expect(old.requests.filter((request) => request.startsWith('INVITE'))).to.have.length(1)
      await succeed(workspace.api.patch(`/agents/${agent.id}/password`, { password: 'battery staple' }))
      expect(await kept(agent)).to.deep.equal([])
      expect(await state(agent)).to.equal('offline')
      expect(await register(formerly(agent), { password: 'battery staple' })).to.equal(200)
    })

    it('end with a SIP account of the name, come back after it, and are never the account’s', async () => {
      const agent = await create()
      const old = await open(formerly(agent))
      expect((await old.register()).status).to.equal(200)
      const namesake = await account(agent.username)
      expect(namesake.domain).to.equal(formerly(agent).domain)
      expect((await old.register()).status).to.equal(401)
      expect(await kept(agent)).to.deep.equal([agent.domain])
      expect(await register(namesake, { password: 'battery staple' })).to.equal(200)
      expect(await kept(agent)).to.deep.equal([namesake.domain, agent.domain].sort())
      await succeed(workspace.api.delete(`/sip-accounts/${namesake.id}`))
      expect(await kept(agent)).to.deep.equal([agent.domain])
      expect((await old.register()).status).to.equal(200)
      expect(await kept(agent)).to.deep.equal([agent.domain])
    })

    it('that an edge of a former version kept there leave it before an account has the name', async () => {
      const agent = await create()
      const other = newName()
      // As that edge would have kept it: under the address that the phone named.
      const usurper = await account(other)
      expect(await register(usurper, { password: 'battery staple' })).to.equal(200)
      expect(await kept(usurper)).to.deep.equal([usurper.domain])
      await query(appliance, 'DELETE FROM sip_accounts WHERE id = ?', [usurper.id])
      await query(appliance, 'UPDATE agents SET username = ? WHERE id = ?', [other, agent.id])
      await account(other)
      expect(await kept(usurper)).to.deep.equal([])
    })
  })

  describe('of a name that a SIP account has', () => {
    let agent: Agent
    let account: Agent
    let fabric: SipPhone
    const accountPassword = 'battery staple'

    beforeEach(async () => {
      agent = await create()
      account = await succeed(
        workspace.api.post('/sip-accounts', {
          ...{ ...sipAccountInput(), username: agent.username, password: accountPassword },
        }),
      )
      fabric = await SipPhone.asSwitch(appliance.kamailio!.options)
      phones.push(fabric)
    })
    const ring = async ({ username, domain }: Agent) => {
      const to = `sip:${username}@${domain}`
      return (await fabric.request('INVITE', to, { to, extra: ['X-Edge-Destination: account'] })).status
    }
    const rings = (phone: SipPhone) => phone.requests.filter((request) => request.startsWith('INVITE')).length

    it('are registered beside its phones, and each gets its own calls', async () => {
      const agents = await open(agent)
      const accounts = await open(account, { password: accountPassword })
      expect((await agents.register()).status).to.equal(200)
      expect((await accounts.register()).status).to.equal(200)
      expect(await ring(agent)).to.equal(200)
      expect([rings(agents), rings(accounts)]).to.deep.equal([1, 0])
      expect(await ring(account)).to.equal(200)
      expect([rings(agents), rings(accounts)]).to.deep.equal([1, 1])
      expect(await state(agent)).to.equal('available')
      await agents.register({ expires: 0 })
      expect(await ring(agent)).to.equal(480)
      expect(await ring(account)).to.equal(200)
      await eventually(
        async () => state(agent),
        (now) => now === 'offline',
      )
    })

    for (const algorithm of ['MD5', 'SHA-256'] as const) {
      for (const longName of [false, true]) {
        it(`prove themselves with their own ${algorithm}${longName ? ' of user@domain' : ''} alone`, async () => {
          const how = { algorithm, longName }
          expect(await register(agent, how)).to.equal(200)
          expect(await register(account, { ...how, password: accountPassword })).to.equal(200)
          expect(await register(account, how), 'the agent’s at the account’s').to.equal(401)
          const crossed = await register(agent, { ...how, password: accountPassword })
          expect(crossed, 'the account’s at the agent’s').to.equal(401)
        })
      }
    }

    it('go with the agent, as its phones go with it', async () => {
      const [agents, accounts] = [await open(agent), await open(account, { password: accountPassword })]
      for (const phone of [agents, accounts]) expect((await phone.register()).status).to.equal(200)
      await succeed(workspace.api.delete(`/agents/${agent.id}`))
      expect([await ring(agent), await ring(account)]).to.deep.equal([480, 200])
      expect(await register(agent)).to.equal(401)
      expect((await accounts.register()).status).to.equal(200)
      const heir = await create({ username: agent.username })
      expect(await register(heir)).to.equal(200)
      await succeed(workspace.api.delete(`/sip-accounts/${account.id}`))
      expect([await ring(agent), await ring(account)]).to.deep.equal([200, 480])
    })
  })
})
