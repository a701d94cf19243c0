/** Softphones of agents at a real Kamailio, and the presence that comes of them. */
import { expect } from 'chai'
import { agentInput, succeed } from '../api/fixtures.js'
import { eventually } from '../support/api-client.js'
import { Appliance, type TestWorkspace } from '../support/appliance.js'
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
})
