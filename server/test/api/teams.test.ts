/** Teams and who is in them. */
import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { agentInput, fieldsOf, newAgent, newTeam, startUnlimited, succeed } from './fixtures.js'

describe('teams', function () {
  this.timeout(30_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    api = workspace.api
  })
  after(async () => appliance?.stop())

  const create = async (name: unknown) => api.post('/teams', { name })

  it('have a name and count their agents', async () => {
    const made = await create('Sales')
    expect(made.status).to.equal(201)
    const { id, created_at, updated_at, ...rest } = made.body
    expect(id).to.match(/^te_[0-9a-z]{26}$/)
    expect(updated_at).to.equal(created_at)
    expect(rest).to.deep.equal({ workspace_id: workspace.id, name: 'Sales', agent_count: 0 })
    expect(await succeed(api.get(`/teams/${id}`))).to.deep.equal(made.body)
  })

  it('have names of 1 to 36 characters, without control characters', async () => {
    for (const name of ['x', 'é'.repeat(36), 'Équipe 24/7 🔔', "'; DROP TABLE teams; --"]) {
      expect((await create(name)).body.name, name).to.equal(name)
    }
    for (const name of ['', 'x'.repeat(37), 'a\nb', 'a\0b', null, 1, undefined]) {
      expect(fieldsOf(await create(name)), String(name)).to.deep.equal(['name'])
    }
    const unknown = await api.post('/teams', { name: 'Fine', title: 'x' })
    expect(fieldsOf(unknown)).to.deep.equal(['title'])
  })

  it('have names of their own in a workspace, whatever their case', async () => {
    const { id } = await succeed(create('Support'))
    const same = await create('SUPPORT')
    expect(same.status).to.equal(409)
    expect(same.body.message).to.include('SUPPORT')
    expect((await succeed(api.patch(`/teams/${id}`, { name: 'support' }))).name).to.equal('support')
    const other = await newTeam(api)
    expect((await api.patch(`/teams/${other}`, { name: 'Support' })).status).to.equal(409)
    expect((await create('Süpport')).status).to.equal(409)
    // Emoji are told apart, which not every collation does.
    await succeed(create('🔔'))
    await succeed(create('📞'))
    expect((await create('🔔')).status).to.equal(409)
    const { api: foreign } = await appliance.workspace()
    await succeed(foreign.post('/teams', { name: 'Support' }))
  })

  it('change only in what is sent', async () => {
    const made = await succeed(create('Before'))
    const changed = await succeed(api.patch(`/teams/${made.id}`, { name: 'After' }))
    expect(changed).to.deep.equal({ ...made, name: 'After', updated_at: changed.updated_at })
    expect(await succeed(api.patch(`/teams/${made.id}`, {}))).to.include({ name: 'After' })
    expect(fieldsOf(await api.patch(`/teams/${made.id}`, { agent_count: 5 }))).to.deep.equal(['agent_count'])
  })

  it('are listed in pages, sorted and searched, each with its count', async () => {
    const { api: fresh } = await appliance.workspace()
    const agents = [await newAgent(fresh), await newAgent(fresh), await newAgent(fresh)]
    for (const [index, name] of ['Beta', 'alpha', '100% pure', 'x_y', '😀 team'].entries()) {
      const { id } = await succeed(fresh.post('/teams', { name }))
      for (const agent of agents.slice(0, index)) await succeed(fresh.put(`/teams/${id}/agents/${agent}`))
    }
    const list = async (query: string) =>
      (await succeed(fresh.get(`/teams?${query}`))).data.map(
        (team: { name: string; agent_count: number }) => [team.name, team.agent_count],
      )
    expect(await list('sort_field=name&sort_order=asc')).to.deep.equal([
      ...[
        ['100% pure', 2],
        ['alpha', 1],
        ['Beta', 0],
        ['x_y', 3],
        ['😀 team', 3],
      ],
    ])
    expect(await list('sort_field=name&sort_order=asc&search=a')).to.deep.equal([
      ['alpha', 1],
      ['Beta', 0],
      ['😀 team', 3],
    ])
    expect(await list('limit=2')).to.deep.equal([
      ['😀 team', 3],
      ['x_y', 3],
    ])
    expect(await list('limit=2&page=3')).to.deep.equal([['Beta', 0]])
    expect(await list('search=%25')).to.deep.equal([['100% pure', 2]])
    expect(await list('search=_')).to.deep.equal([['x_y', 3]])
    expect(await list(`search=${encodeURIComponent('😀')}`)).to.deep.equal([['😀 team', 3]])
    expect(await list(`search=${encodeURIComponent('🎉')}`)).to.deep.equal([])
    expect((await succeed(fresh.get('/teams'))).meta).to.deep.equal({
      total: 5,
      page: 1,
      limit: 10,
      total_pages: 1,
    })
    expect(fieldsOf(await fresh.get('/teams?sort_field=title'))).to.deep.equal(['sort_field'])
  })

  it('go with their workspace, and their agents too', async () => {
    const { id, api: going } = await appliance.workspace({ credit: 0 })
    const [team, agent] = [await newTeam(going), await newAgent(going)]
    await succeed(going.put(`/teams/${team}/agents/${agent}`))
    await succeed(appliance.operator.delete(`/workspaces/${id}`))
    for (const table of ['agents', 'teams', 'team_members']) {
      const left = await query(appliance, `SELECT 1 FROM ${table} WHERE workspace_id = ?`, [id])
      expect(left, table).to.deep.equal([])
    }
  })

  describe('and their agents', () => {
    let team: string
    let agent: string
    before(async () => {
      team = await newTeam(api)
      agent = await newAgent(api)
    })
    afterEach(async () => api.delete(`/teams/${team}/agents/${agent}`))

    const path = () => `/teams/${team}/agents/${agent}`

    it('are joined once, however often that is asked for', async () => {
      const first = await api.put(path())
      expect(first.status).to.equal(200)
      expect(first.body).to.have.all.keys('id', 'team_id', 'agent_id', 'created_at')
      expect(first.body).to.include({ team_id: team, agent_id: agent })
      expect(first.body.id).to.match(/^mem_[0-9a-z]{26}$/)
      expect(await succeed(api.put(path()))).to.deep.equal(first.body)
      expect(await succeed(api.get(`/teams/${team}`))).to.include({ agent_count: 1 })
    })

    it('are joined once when requests race', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, async () => succeed(api.put(path()))))
      expect(new Set(answers.map(({ id }) => id)).size).to.equal(1)
      expect(await succeed(api.get(`/teams/${team}`))).to.include({ agent_count: 1 })
    })

    it('are parted, and then there is nothing to part', async () => {
      const made = await succeed(api.put(path()))
      expect(await succeed(api.delete(path()))).to.deep.equal(made)
      const again = await api.delete(path())
      expect([again.status, again.body.message]).to.deep.equal([404, 'Membership not found'])
      expect(await succeed(api.get(`/teams/${team}`))).to.include({ agent_count: 0 })
    })

    it('are of one workspace', async () => {
      const { api: foreign } = await appliance.workspace()
      const [foreignTeam, foreignAgent] = [await newTeam(foreign), await newAgent(foreign)]
      for (const [teamId, agentId] of [
        [team, foreignAgent],
        [foreignTeam, agent],
        [foreignTeam, foreignAgent],
        [team, 'ag_unknown'],
        ['te_unknown', agent],
      ]) {
        expect((await api.put(`/teams/${teamId}/agents/${agentId}`)).status).to.equal(404)
        expect((await api.delete(`/teams/${teamId}/agents/${agentId}`)).status).to.equal(404)
      }
      await succeed(foreign.put(`/teams/${foreignTeam}/agents/${foreignAgent}`))
      expect((await api.delete(`/teams/${foreignTeam}/agents/${foreignAgent}`)).status).to.equal(404)
      expect((await api.get(`/teams/${foreignTeam}/agents`)).status).to.equal(404)
      expect((await api.get(`/agents/${foreignAgent}/teams`)).status).to.equal(404)
      expect((await succeed(foreign.get(`/teams/${foreignTeam}`))).agent_count).to.equal(1)
    })

    it('are listed from both sides', async () => {
      const second = await newTeam(api)
      const other = (await succeed(api.post('/agents', { ...agentInput(), display_name: 'Aaron' }))).id
      await succeed(api.put(path()))
      await succeed(api.put(`/teams/${team}/agents/${other}`))
      await succeed(api.put(`/teams/${second}/agents/${agent}`))
      const idsAt = async (at: string) =>
        (await succeed(api.get(at))).data.map(({ id }: { id: string }) => id)
      expect(await idsAt(`/agents/${agent}/teams`)).to.deep.equal([second, team])
      expect(await idsAt(`/agents/${agent}/teams?sort_field=created_at&sort_order=asc`)).to.deep.equal([
        team,
        second,
      ])
      expect(await idsAt(`/agents/${agent}/teams?limit=1&page=2`)).to.deep.equal([team])
      expect(
        (await succeed(api.get(`/agents/${agent}/teams`))).data.map(
          (one: { agent_count: number }) => one.agent_count,
        ),
      ).to.deep.equal([1, 2])
      expect(await idsAt(`/agents/${other}/teams`)).to.deep.equal([team])
      expect(await idsAt(`/teams/${team}/agents`)).to.deep.equal([other, agent])
      expect(await idsAt(`/teams/${team}/agents?search=AARON`)).to.deep.equal([other])
      const [shown] = (await succeed(api.get(`/teams/${second}/agents`))).data
      expect(shown).to.deep.equal(await succeed(api.get(`/agents/${agent}`)))
      expect((await succeed(api.get(`/teams/${team}/agents?limit=1`))).meta).to.include({
        total: 2,
        total_pages: 2,
      })
    })

    it('part when either is deleted', async () => {
      const [one, two] = [await newTeam(api), await newTeam(api)]
      const leaving = await newAgent(api)
      for (const id of [one, two]) await succeed(api.put(`/teams/${id}/agents/${leaving}`))
      expect((await succeed(api.delete(`/teams/${one}`))).agent_count).to.equal(1)
      expect((await api.get(`/teams/${one}`)).status).to.equal(404)
      expect((await succeed(api.get(`/agents/${leaving}/teams`))).meta.total).to.equal(1)
      await succeed(api.delete(`/agents/${leaving}`))
      expect(await succeed(api.get(`/teams/${two}`))).to.include({ agent_count: 0 })
      const left = await query(appliance, 'SELECT 1 FROM team_members WHERE agent_id = ?', [leaving])
      expect(left).to.deep.equal([])
    })

    it('never make a 500 when one goes while they are joined', async () => {
      for (let round = 0; round < 5; round++) {
        const [goingTeam, goingAgent] = [await newTeam(api), await newAgent(api)]
        const answers = await Promise.all([
          ...Array.from({ length: 5 }, async () => api.put(`/teams/${goingTeam}/agents/${goingAgent}`)),
          round % 2 ? api.delete(`/teams/${goingTeam}`) : api.delete(`/agents/${goingAgent}`),
        ])
        for (const { status, body } of answers) expect(status, JSON.stringify(body)).to.be.oneOf([200, 404])
      }
    })

    it('are told of in the audit log', async () => {
      const made = await succeed(api.put(path()))
      await succeed(api.delete(path()))
      const entries = await query(
        appliance,
        'SELECT action, target_name FROM audit_log WHERE target_id IN (?, ?) ORDER BY id',
        [team, made.id],
      )
      expect(entries.map(({ action }) => action)).to.deep.equal([
        ...['team.create', 'team_member.create', 'team_member.delete'],
      ])
      const [name, added, removed] = entries.map(({ target_name }) => String(target_name))
      const { display_name } = await succeed(api.get(`/agents/${made.agent_id}`))
      expect([added, removed]).to.deep.equal(Array(2).fill(`${display_name}, ${name}`))
    })
  })
})
