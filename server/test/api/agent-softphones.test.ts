/** What softphones of agents register with, and the names that agents and SIP accounts share. */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query, tablesHolding } from './database.js'
import { EdgeRpc } from './edge-rpc.js'
import { agentInput, newName, sipAccountInput, startUnlimited, succeed } from './fixtures.js'

const sipDomain = 'sip.example.org'
const noHashes = { ha1: null, ha1b: null, ha1_sha256: null, ha1b_sha256: null }

describe('softphones of agents', function () {
  this.timeout(60_000)
  let edge: EdgeRpc
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  let domain: string

  before(async () => {
    edge = await EdgeRpc.start()
    appliance = await startUnlimited({ ...edge.settings, JACKFIELD_EDGE_SIP_DOMAIN: sipDomain })
  })
  beforeEach(async () => {
    edge.manner = 'answers'
    edge.removed.length = 0
    workspace = await appliance.workspace({ credit: 0 })
    api = workspace.api
    domain = `${workspace.id}.${sipDomain}`
  })
  after(async () => {
    await appliance?.stop()
    await edge?.stop()
  })

  const create = async (changes: object = {}) => api.post('/agents', { ...agentInput(), ...changes })
  const rowOf = async (id: string) => (await query(appliance, 'SELECT * FROM agents WHERE id = ?', [id]))[0]
  const hashesOf = (username: string, password: string) => {
    const hash = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')
    const plain = `${username}:${domain}:${password}`
    const withDomain = `${username}@${domain}:${domain}:${password}`
    return {
      ...{ ha1: hash('md5', plain), ha1b: hash('md5', withDomain) },
      ...{ ha1_sha256: hash('sha256', plain), ha1b_sha256: hash('sha256', withDomain) },
    }
  }
  const subscriber = async (username: string) =>
    (
      await query(appliance, 'SELECT * FROM subscriber WHERE username = ? AND domain = ?', [username, domain])
    )[0]

  it('register with the agent’s name and password, of which only digests are kept', async () => {
    const password = 'pässword: of {an} agent'
    const { id, username } = await succeed(create({ password }))
    expect(await rowOf(id)).to.include({ domain, ...hashesOf(username, password) })
    expect(await subscriber(username)).to.deep.equal({
      ...{ username, domain, account_id: id, workspace_id: workspace.id },
      ...hashesOf(username, password),
    })
    await succeed(api.patch(`/agents/${id}/password`, { password: `${password}, changed` }))
    expect(await subscriber(username)).to.include(hashesOf(username, `${password}, changed`))
    expect(await tablesHolding(appliance, password)).to.deep.equal([])
    const shown = [await api.get(`/agents/${id}`), await api.get('/agents'), await api.get('/audit-log')]
    for (const hash of Object.values(hashesOf(username, password))) {
      expect(JSON.stringify(shown)).not.to.include(hash)
    }
  })

  it('register only while the agent is active', async () => {
    const { id, username } = await succeed(create({ is_active: false }))
    expect(await subscriber(username)).to.equal(undefined)
    await succeed(api.patch(`/agents/${id}`, { is_active: true }))
    expect(await subscriber(username)).to.have.property('account_id', id)
  })

  it('need the password once more when the agent’s name has changed, since digests hold it', async () => {
    const { id, username } = await succeed(create({ password: 'password one' }))
    const renamed = `${username}-x`
    await succeed(api.patch(`/agents/${id}`, { username: renamed }))
    expect(await rowOf(id)).to.include(noHashes)
    for (const name of [username, renamed]) expect(await subscriber(name)).to.equal(undefined)
    await succeed(api.patch(`/agents/${id}/password`, { password: 'password one' }))
    expect(await subscriber(renamed)).to.include({ account_id: id, ...hashesOf(renamed, 'password one') })
    // Its former name is free.
    await succeed(api.post('/sip-accounts', { ...sipAccountInput(), username }))
  })

  it('are found by three index reads', async () => {
    const { username } = await succeed(create())
    await succeed(api.post('/sip-accounts', sipAccountInput()))
    const plan = await query(
      appliance,
      'EXPLAIN SELECT * FROM subscriber WHERE username = ? AND domain = ?',
      [...[username, domain]],
    )
    expect(plan.map(({ type }) => type)).to.deep.equal(['const', 'const', 'const'])
  })

  describe('share their names with SIP accounts', () => {
    it('which take none of an agent’s', async () => {
      const { id, username } = await succeed(create())
      const account = { ...sipAccountInput(), username }
      const refused = await api.post('/sip-accounts', account)
      expect(refused.status).to.equal(409)
      expect(refused.body.message).to.equal(`The username ${username} is that of an agent of this workspace`)
      expect((await succeed(api.get('/sip-accounts'))).meta.total).to.equal(0)
      const { api: foreign } = await appliance.workspace({ credit: 0 })
      await succeed(foreign.post('/sip-accounts', account))
      await succeed(api.delete(`/agents/${id}`))
      await succeed(api.post('/sip-accounts', account))
    })

    it('whose names agents are neither made nor changed to', async () => {
      const { username } = await succeed(api.post('/sip-accounts', sipAccountInput()))
      const agent = await succeed(create())
      const message = `The username ${username} is that of a SIP account of this workspace`
      const answers = [await create({ username }), await api.patch(`/agents/${agent.id}`, { username })]
      for (const refused of answers) {
        expect([refused.status, refused.body.message]).to.deep.equal([409, message])
      }
      expect(await succeed(api.get(`/agents/${agent.id}`))).to.deep.equal(agent)
      expect(await subscriber(agent.username)).to.have.property('account_id', agent.id)
    })

    it('though both are made in the same moment by two servers', async () => {
      const port = await appliance.startAnotherServer()
      const both = [api, api.with({ port })]
      for (let round = 0; round < 3; round++) {
        const username = newName()
        const renamed = await succeed(create())
        const answers = await Promise.all(
          Array.from({ length: 9 }, async (_, index) => {
            const client = both[index % 2]!
            if (index % 3 === 0) return client.post('/agents', { ...agentInput(), username })
            if (index % 3 === 1) return client.post('/sip-accounts', { ...sipAccountInput(), username })
            return client.patch(`/agents/${renamed.id}`, { username })
          }),
        )
        const statuses = answers.map(({ status }) => status)
        const holders = await Promise.all(
          ['agents', 'sip-accounts'].map(async (path) =>
            (await succeed(api.get(`/${path}?search=${username}&limit=100`))).data.filter(
              (one: { username: string }) => one.username === username,
            ),
          ),
        )
        expect(holders.flat(), statuses.join(' ')).to.have.length(1)
        expect(statuses.every((status) => [200, 201, 409].includes(status))).to.equal(true)
      }
    })
  })

  describe('are taken off the registrar', () => {
    let id: string
    let address: string
    beforeEach(async () => {
      const agent = await succeed(create({ password: 'password one' }))
      id = agent.id
      address = `${agent.username}@${domain}`
    })
    const changes: Record<string, () => Promise<{ status: number }>> = {
      deleted: async () => api.delete(`/agents/${id}`),
      'made inactive': async () => api.patch(`/agents/${id}`, { is_active: false }),
      renamed: async () => api.patch(`/agents/${id}`, { username: newName() }),
      'given another password': async () => api.patch(`/agents/${id}/password`, { password: 'password two' }),
    }
    for (const [what, change] of Object.entries(changes)) {
      it(`when the agent is ${what}, before the answer`, async () => {
        expect((await change()).status).to.equal(200)
        expect(edge.removed).to.deep.equal([address])
        expect(await query(appliance, "SELECT * FROM outbox WHERE kind = 'edge.forget'")).to.deep.equal([])
      })
    }

    it('and by nothing else', async () => {
      const { username } = await succeed(api.get(`/agents/${id}`))
      const same = { username, is_active: true, display_name: 'Other', role: 'leader' }
      await succeed(api.patch(`/agents/${id}`, same))
      await succeed(api.patch(`/agents/${id}/password`, { password: 'password one' }))
      expect(edge.removed).to.deep.equal([])
    })

    it('when their workspace is deleted', async () => {
      await succeed(appliance.operator.delete(`/workspaces/${workspace.id}`))
      await eventually(
        async () => edge.removed,
        (removed) => removed.includes(address),
      )
    })

    it('later, when the edge is not to be had', async () => {
      edge.manner = 'refuses'
      await succeed(api.patch(`/agents/${id}`, { is_active: false }))
      expect(edge.removed).to.deep.equal([])
      edge.manner = 'answers'
      await eventually(
        async () => edge.removed,
        (removed) => removed.includes(address),
      )
    })
  })
})
