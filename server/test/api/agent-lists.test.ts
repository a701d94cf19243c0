/** Lists of agents: sorted, searched, filtered, in pages. */
import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { agentInput, fieldsOf, startUnlimited, succeed } from './fixtures.js'

describe('agents in lists', function () {
  this.timeout(30_000)
  let appliance: Appliance
  let people: TestWorkspace['api']
  before(async () => {
    appliance = await startUnlimited()
    people = (await appliance.workspace()).api
    const all = [
      { username: 'delta', display_name: 'Ann Zed', email: 'zed@example.com', country_code: 'DE' },
      { username: 'alpha', display_name: 'bob Yang', email: 'a100%@example.com', is_active: false },
      { username: 'carol', display_name: 'Carol-Ann', email: 'under_score@example.com', role: 'leader' },
      { username: 'bravo', display_name: '李小龙', is_active: false, country_code: 'DE' },
    ]
    for (const one of all) await succeed(people.post('/agents', { ...agentInput(), ...one }))
  })

  after(async () => appliance?.stop())

  const found = async (search: string) =>
    (await succeed(people.get(`/agents?${search}`))).data.map(
      ({ username }: { username: string }) => username,
    )

  it('come newest first, and sorted by each field in both directions', async () => {
    expect(await found('')).to.deep.equal(['bravo', 'carol', 'alpha', 'delta'])
    const sorted = {
      created_at: ['delta', 'alpha', 'carol', 'bravo'],
      display_name: ['delta', 'alpha', 'carol', 'bravo'],
      email: ['bravo', 'alpha', 'carol', 'delta'],
      username: ['alpha', 'bravo', 'carol', 'delta'],
      is_active: ['alpha', 'bravo', 'delta', 'carol'],
    }
    for (const [field, order] of Object.entries(sorted)) {
      expect(await found(`sort_field=${field}&sort_order=asc`), field).to.deep.equal(order)
      expect(await found(`sort=${field}&order=desc`), field).to.deep.equal([...order].reverse())
    }
    expect(fieldsOf(await people.get('/agents?sort_field=password_hash'))).to.deep.equal(['sort_field'])
  })

  it('are searched by display name, e-mail and username', async () => {
    expect(await found('search=ANN')).to.deep.equal(['carol', 'delta'])
    expect(await found('search=zed%40')).to.deep.equal(['delta'])
    expect(await found('search=rav')).to.deep.equal(['bravo'])
    expect(await found('search=%E5%B0%8F')).to.deep.equal(['bravo'])
  })

  it('take wildcards and emoji in a search for what they are', async () => {
    expect(await found('search=%25')).to.deep.equal(['alpha'])
    expect(await found('search=_')).to.deep.equal(['carol'])
    for (const text of ['!', '\\', "'", '%%', '__', '😀', '🎉', '%_!']) {
      expect(await found(`search=${encodeURIComponent(text)}`), text).to.deep.equal([])
    }
  })

  it('are filtered by state, country and activity, and all at once', async () => {
    expect(await found('state=offline')).to.have.length(4)
    for (const state of ['available', 'incall', 'busy']) {
      expect(await found(`state=${state}`), state).to.deep.equal([])
    }
    expect(await found('country_code=DE')).to.deep.equal(['bravo', 'delta'])
    expect(await found('is_active=false')).to.deep.equal(['bravo', 'alpha'])
    expect(await found('is_active=true')).to.deep.equal(['carol', 'delta'])
    expect(await found('is_active=false&country_code=DE&state=offline&search=brav')).to.deep.equal(['bravo'])
    const { meta } = await succeed(people.get('/agents?is_active=true&limit=1'))
    expect(meta).to.deep.equal({ total: 2, page: 1, limit: 1, total_pages: 2 })
    for (const wrong of ['state=away', 'country_code=de', 'is_active=maybe', 'is_active=']) {
      expect(fieldsOf(await people.get(`/agents?${wrong}`)), wrong).to.deep.equal([wrong.split('=')[0]])
    }
  })

  it('are filtered by role and team', async () => {
    expect(await found('role=leader')).to.deep.equal(['carol'])
    const { id: team } = await succeed(people.post('/teams', { name: 'Desk' }))
    const { data } = await succeed(people.get('/agents?country_code=DE'))
    for (const { id } of data) await succeed(people.put(`/teams/${team as string}/agents/${id as string}`))
    expect(await found(`team_id=${team as string}`)).to.deep.equal(['bravo', 'delta'])
    expect(await found(`team_id=${team as string}&state=offline&search=brav`)).to.deep.equal(['bravo'])
    expect(await found('team_id=none')).to.deep.equal(['carol', 'alpha'])
    const { api: foreign } = await appliance.workspace()
    expect((await succeed(foreign.get(`/agents?team_id=${team as string}`))).data).to.deep.equal([])
    expect(fieldsOf(await people.get('/agents?role=boss'))).to.deep.equal(['role'])
  })

  it('are listed in pages when there are a thousand', async () => {
    const { id, api: crowded } = await appliance.workspace()
    const rows = Array.from({ length: 1_000 }, (_, index) => {
      const number = String(index).padStart(4, '0')
      const created = new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 3) * 1000)
      return [
        `ag_${id}${number}`,
        id,
        `user${number}`,
        'Same Name',
        'member',
        index % 2,
        'US',
        'x',
        created,
        created,
      ]
    })
    await query(
      appliance,
      'INSERT INTO agents (id, workspace_id, username, display_name, role, is_active, country_code, password_hash, created_at, updated_at) VALUES ?',
      [rows],
    )
    const names = rows.map((row) => row[2] as string)
    for (const sort of ['display_name', 'created_at', 'username']) {
      const pages = []
      for (let page = 1; page <= 10; page++) {
        const list = await succeed(
          crowded.get(`/agents?limit=100&page=${page}&sort_field=${sort}&sort_order=asc`),
        )
        expect(list.meta).to.deep.equal({ total: 1_000, page, limit: 100, total_pages: 10 })
        pages.push(...list.data.map(({ username }: { username: string }) => username))
      }
      expect(pages, sort).to.deep.equal(names)
    }
    const last = await succeed(crowded.get('/agents?is_active=true&page=50'))
    expect(last.data).to.have.length(10)
    expect(last.meta).to.deep.equal({ total: 500, page: 50, limit: 10, total_pages: 50 })
    expect((await succeed(crowded.get('/agents?page=101'))).data).to.deep.equal([])
  })
})
