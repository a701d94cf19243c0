/** What softphones of agents register with, and the names that an agent and a SIP account may both have. */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query, tablesHolding } from './database.js'
import { EdgeRpc } from './edge-rpc.js'
import { agentInput, newName, sipAccountInput, startUnlimited, succeed } from './fixtures.js'

const sipDomain = 'sip.example.org'
const noHashes = {
  ...{ ha1: null, ha1b: null, ha1_sha256: null, ha1b_sha256: null },
  ...{ address_ha1b: null, address_ha1b_sha256: null },
}

describe('softphones of agents', function () {
  this.timeout(60_000)
  let edge: EdgeRpc
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  /** Where agents register, and the realm of their digests, which is where SIP accounts register. */
  let domain: string
  let realm: string

  before(async () => {
    edge = await EdgeRpc.start()
    appliance = await startUnlimited({ ...edge.settings, JACKFIELD_EDGE_SIP_DOMAIN: sipDomain })
  })
  beforeEach(async () => {
    edge.manner = 'answers'
    edge.removed.length = 0
    workspace = await appliance.workspace({ credit: 0 })
    api = workspace.api
    realm = `${workspace.id}.${sipDomain}`
    domain = `agents--${realm}`
  })
  after(async () => {
    await appliance?.stop()
    await edge?.stop()
  })

  const create = async (changes: object = {}) => api.post('/agents', { ...agentInput(), ...changes })
  const rowOf = async (id: string) => (await query(appliance, 'SELECT * FROM agents WHERE id = ?', [id]))[0]
  const hashesOf = (username: string, password: string, longDomain = realm) => {
    const hash = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')
    const plain = `${username}:${realm}:${password}`
    const withDomain = `${username}@${longDomain}:${realm}:${password}`
    return {
      ...{ ha1: hash('md5', plain), ha1b: hash('md5', withDomain) },
      ...{ ha1_sha256: hash('sha256', plain), ha1b_sha256: hash('sha256', withDomain) },
    }
  }
  const subscriber = async (username: string, at = domain) =>
    (await query(appliance, 'SELECT * FROM subscriber WHERE username = ? AND domain = ?', [username, at]))[0]

  it('register with the agent’s name and password, of which only digests are kept', async () => {
    const password = 'pässword: of {an} agent'
    const { id, username, domain: shown } = await succeed(create({ password }))
    expect(shown).to.equal(domain)
    expect(await rowOf(id)).to.include({ domain, realm, ...hashesOf(username, password) })
    const found = { username, aor_domain: domain, account_id: id, workspace_id: workspace.id }
    expect(await subscriber(username)).to.deep.equal({
      ...{ ...found, domain },
      ...hashesOf(username, password, domain),
    })
    // Phones that were set up before agents had a domain of their own.
    expect(await subscriber(username, realm)).to.deep.equal({
      ...{ ...found, domain: realm },
      ...hashesOf(username, password),
    })
    const changed = `${password}, changed`
    await succeed(api.patch(`/agents/${id}/password`, { password: changed }))
    expect(await subscriber(username)).to.include(hashesOf(username, changed, domain))
    expect(await subscriber(username, realm)).to.include(hashesOf(username, changed))
    expect(await tablesHolding(appliance, password)).to.deep.equal([])
    const shownTo = [await api.get(`/agents/${id}`), await api.get('/agents'), await api.get('/audit-log')]
    const hashes = [hashesOf(username, password), hashesOf(username, password, domain)]
    for (const hash of hashes.flatMap((some) => Object.values(some))) {
      expect(JSON.stringify(shownTo)).not.to.include(hash)
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
    expect(await subscriber(renamed)).to.include({
      ...{ account_id: id, ...hashesOf(renamed, 'password one', domain) },
    })
    // Its former name is free.
    await succeed(api.post('/sip-accounts', { ...sipAccountInput(), username }))
  })

  it('are found by index reads alone, of one row each', async () => {
    const { username } = await succeed(create())
    await succeed(api.post('/sip-accounts', sipAccountInput()))
    for (const at of [domain, realm]) {
      const plan = await query(
        appliance,
        'EXPLAIN SELECT * FROM subscriber WHERE username = ? AND domain = ?',
        [username, at],
      )
      const read = plan.filter(({ table }) => table !== null && !String(table).startsWith('<'))
      expect(read.length).to.be.greaterThan(0)
      for (const { type } of read) expect(type).to.be.oneOf(['const', 'unique_subquery'])
    }
  })

  describe('and SIP accounts may have one name', () => {
    it('whichever is made first', async () => {
      const agent = await succeed(create())
      const { username } = agent
      const account = await succeed(api.post('/sip-accounts', { ...sipAccountInput(), username }))
      expect(account).to.include({ username, domain: realm })
      expect(await subscriber(username)).to.include({ account_id: agent.id, aor_domain: domain })
      expect(await subscriber(username, realm)).to.include({ account_id: account.id, aor_domain: realm })
      const other = await succeed(api.post('/sip-accounts', sipAccountInput()))
      const namesake = await succeed(create({ username: other.username }))
      expect(await subscriber(other.username)).to.include({ account_id: namesake.id })
      expect(await subscriber(other.username, realm)).to.include({ account_id: other.id })
      for (const again of [
        await create({ username }),
        await api.post('/sip-accounts', { ...sipAccountInput(), username }),
      ]) {
        expect(again.status).to.equal(409)
      }
    })

    it('that an agent gets by a change', async () => {
      const account = await succeed(api.post('/sip-accounts', sipAccountInput()))
      const agent = await succeed(create({ password: 'password one' }))
      const renamed = await succeed(api.patch(`/agents/${agent.id}`, { username: account.username }))
      expect(renamed.username).to.equal(account.username)
      await succeed(api.patch(`/agents/${agent.id}/password`, { password: 'password one' }))
      expect(await subscriber(account.username)).to.include({ account_id: agent.id })
      expect(await subscriber(account.username, realm)).to.include({ account_id: account.id })
    })

    it('of which the one stays when the other is deleted', async () => {
      const agent = await succeed(create())
      const { username } = agent
      const account = await succeed(api.post('/sip-accounts', { ...sipAccountInput(), username }))
      edge.removed.length = 0
      await succeed(api.delete(`/sip-accounts/${account.id}`))
      expect(edge.removed).to.deep.equal([`${username}@${realm}`])
      // Its phones may use the domain of the accounts again.
      for (const at of [domain, realm]) {
        expect(await subscriber(username, at)).to.include({ account_id: agent.id, aor_domain: domain })
      }
      const heir = await succeed(api.post('/sip-accounts', { ...sipAccountInput(), username }))
      edge.removed.length = 0
      await succeed(api.delete(`/agents/${agent.id}`))
      expect(edge.removed).to.deep.equal([`${username}@${domain}`])
      expect(await subscriber(username)).to.equal(undefined)
      expect(await subscriber(username, realm)).to.include({ account_id: heir.id })
    })

    it('made in the same moment by two servers, each once', async () => {
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
        for (const path of ['agents', 'sip-accounts']) {
          const holders = (await succeed(api.get(`/${path}?search=${username}&limit=100`))).data.filter(
            (one: { username: string }) => one.username === username,
          )
          expect(holders, `${path}: ${statuses.join(' ')}`).to.have.length(1)
        }
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
