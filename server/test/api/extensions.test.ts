import { expect } from 'chai'
import type { Answer } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import {
  agentInput,
  extensionInput,
  fieldsOf,
  newAgent,
  newExtensionNumber,
  newSipAccount,
  newTeam,
  newVoiceAgent,
  startUnlimited,
  succeed,
  voiceAgent,
} from './fixtures.js'

type Api = TestWorkspace['api']

/** Each destination: the field that names it, its resource's path, and how one is made. */
const kinds = [
  { destination: 'agent', field: 'agent_id', path: '/agents', make: newAgent },
  { destination: 'team', field: 'team_id', path: '/teams', make: newTeam },
  { destination: 'sip-account', field: 'sip_account_id', path: '/sip-accounts', make: newSipAccount },
  { destination: 'voice-agent', field: 'voice_agent_id', path: '/voice-agents', make: newVoiceAgent },
]

const noIds = { agent_id: null, team_id: null, sip_account_id: null, voice_agent_id: null }

describe('extensions', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: Api
  let foreign: Api

  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_LIMITS_EXTENSIONS: '12' })
    foreign = (await appliance.workspace({ credit: 0 })).api
  })
  beforeEach(async () => {
    workspace = await appliance.workspace({ credit: 0 })
    api = workspace.api
  })
  after(async () => appliance?.stop())

  const create = async (changes: object, client = api): Promise<Answer> =>
    client.post('/extensions', { title: 'Desk', extension_number: newExtensionNumber(), ...changes })

  it('show the agent that they lead to', async () => {
    const agent = await succeed(
      api.post('/agents', {
        ...agentInput(),
        email: 'jane@example.org',
        avatar: 'https://example.org/j.png',
      }),
    )
    const extension_number = newExtensionNumber()
    const answer = await create({ destination: 'agent', agent_id: agent.id, extension_number })
    expect(answer.status).to.equal(201)
    const { id, created_at, updated_at, ...rest } = answer.body
    expect(id).to.match(/^ex_[0-9a-z]{26}$/)
    expect(created_at).to.match(/Z$/).and.to.equal(updated_at)
    expect(rest).to.deep.equal({
      ...{ workspace_id: workspace.id, extension_number, title: 'Desk', destination: 'agent' },
      is_emergency_number: false,
      ...{ ...noIds, agent_id: agent.id },
      agent: {
        ...{ id: agent.id, username: agent.username, display_name: 'Jane Doe' },
        ...{ email: 'jane@example.org', avatar: 'https://example.org/j.png' },
      },
    })
  })

  it('show the team that they lead to, with the number of its agents', async () => {
    const team = await succeed(api.post('/teams', { name: 'Sales' }))
    for (const agent of [await newAgent(api), await newAgent(api)]) {
      await succeed(api.put(`/teams/${team.id}/agents/${agent}`))
    }
    const { body } = await create({ destination: 'team', team_id: team.id })
    expect(body).to.deep.include({
      ...{ ...noIds, team_id: team.id },
      team: { id: team.id, title: 'Sales', agent_count: 2 },
    })
    expect(body).not.to.have.any.keys('agent', 'sip_account', 'voice_agent')
  })

  it('show the SIP account that they lead to, without its hashes', async () => {
    const account = await succeed(api.get(`/sip-accounts/${await newSipAccount(api)}`))
    const { body } = await create({ destination: 'sip-account', sip_account_id: account.id })
    expect(body).to.deep.include({ ...noIds, sip_account_id: account.id, sip_account: account })
  })

  it('show the voice agent that they lead to', async () => {
    const id = await newVoiceAgent(api)
    const { body } = await create({ destination: 'voice-agent', voice_agent_id: id })
    expect(body).to.deep.include({
      ...{ ...noIds, voice_agent_id: id },
      voice_agent: { id, name: voiceAgent.name },
    })
  })

  it('are answered alike wherever they are read', async () => {
    const made = []
    for (const { destination, field, make } of [...kinds, ...kinds]) {
      made.push(await succeed(create({ destination, [field]: await make(api) })))
    }
    for (const one of made) expect(await succeed(api.get(`/extensions/${one.id}`))).to.deep.equal(one)
    expect((await succeed(api.get('/extensions?sort_order=asc'))).data).to.deep.equal(made)
    for (const one of made) {
      expect(await succeed(api.delete(`/extensions/${one.id}`))).to.deep.equal(one)
      expect((await api.get(`/extensions/${one.id}`)).status).to.equal(404)
    }
  })

  it('hold each field to its limits', async () => {
    const team_id = await newTeam(api)
    const good = { destination: 'team', team_id }
    for (const title of ['x', 'é'.repeat(36)]) expect((await create({ ...good, title })).status).to.equal(201)
    for (const extension_number of ['000', '999999', '0123']) {
      expect((await create({ ...good, extension_number })).body).to.include({ extension_number })
    }
    const wrong: [string, unknown[]][] = [
      ['title', ['', 'x'.repeat(37), 'a\nb', 5, null]],
      ['extension_number', ['12', '1234567', '12a', '+123', ' 123', '١٢٣', '123\n', '', 1234, null]],
      ['destination', ['sip_account', 'Agent', '', null, 'phone']],
      ['team', [{}]],
    ]
    for (const [field, values] of wrong) {
      for (const value of values) {
        expect(
          fieldsOf(await create({ ...good, [field]: value })),
          `${field}: ${JSON.stringify(value)}`,
        ).to.deep.equal([field])
      }
    }
    expect(fieldsOf(await api.post('/extensions', {}))).to.have.members([
      ...['title', 'extension_number', 'destination'],
    ])
  })

  for (const { destination, field, path, make } of kinds) {
    it(`need the id of their ${destination}, and no other`, async () => {
      for (const id of [undefined, null, 'xx_unknown', await make(foreign), '', 'é', 5]) {
        expect(fieldsOf(await create({ destination, [field]: id })), String(id)).to.deep.equal([field])
      }
      const other = kinds.find((kind) => kind.destination !== destination)!
      const otherId = await other.make(api)
      const id = await make(api)
      expect(fieldsOf(await create({ destination, [field]: id, [other.field]: otherId }))).to.deep.equal([
        other.field,
      ])
      expect((await create({ destination, ...noIds, [field]: id })).status).to.equal(201)
      expect(fieldsOf(await create({ destination, [other.field]: otherId }))).to.have.members([
        field,
        other.field,
      ])
      // An id of the right workspace and of another kind.
      expect(fieldsOf(await create({ destination, [field]: otherId }))).to.deep.equal([field])
    })

    it(`outlive their ${destination}, until they lead elsewhere`, async () => {
      const id = await make(api)
      const extension = await succeed(create({ destination, [field]: id }))
      expect((await succeed(api.delete(`${path}/${id}`))).id).to.equal(id)
      const dead = await succeed(api.get(`/extensions/${extension.id}`))
      expect(dead).to.include({ destination, [field]: id })
      expect(dead).not.to.have.any.keys('agent', 'team', 'sip_account', 'voice_agent')
      const renamed = await succeed(api.patch(`/extensions/${extension.id}`, { title: 'Still there' }))
      expect(renamed).to.include({ title: 'Still there', [field]: id })
      expect(fieldsOf(await create({ destination, [field]: id }))).to.deep.equal([field])
      const other = await make(api)
      const changed = await succeed(api.patch(`/extensions/${extension.id}`, { destination, [field]: other }))
      expect(changed[field]).to.equal(other)
      await succeed(api.delete(`/extensions/${extension.id}`))
    })

    it(`never answer 500 when their ${destination} goes while they come`, async () => {
      const id = await make(api)
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, async () => create({ destination, [field]: id })),
        api.delete(`${path}/${id}`),
      ])
      for (const { status, body } of answers) {
        expect(status, JSON.stringify(body)).to.be.oneOf([200, 201, 400, 409])
      }
    })
  }

  it('forget what they led to when they lead elsewhere', async () => {
    let extension = await succeed(create({ destination: 'team', team_id: await newTeam(api) }))
    const path = `/extensions/${extension.id}`
    for (const { destination, field, make } of kinds) {
      const id = await make(api)
      extension = await succeed(api.patch(path, { destination, [field]: id }))
      expect(extension).to.deep.include({ ...noIds, destination, [field]: id })
      expect(await succeed(api.get(path))).to.deep.equal(extension)
      const [row] = await query(appliance, 'SELECT * FROM extensions WHERE id = ?', [extension.id])
      expect(row).to.deep.include({ ...noIds, destination, [field]: id })
    }
    expect(extension).not.to.have.any.keys('agent', 'team', 'sip_account')
  })

  it('change only in what is sent', async () => {
    const account = await newSipAccount(api)
    const made = await succeed(create({ destination: 'sip-account', sip_account_id: account }))
    const path = `/extensions/${made.id}`
    const changed = await succeed(api.patch(path, { title: 'Other' }))
    expect(changed).to.deep.equal({ ...made, title: 'Other', updated_at: changed.updated_at })
    expect((await succeed(api.patch(path, { destination: 'sip-account' }))).sip_account_id).to.equal(account)
    const another = await newSipAccount(api)
    expect((await succeed(api.patch(path, { sip_account_id: another }))).sip_account.id).to.equal(another)
    const refused: [object, string[]][] = [
      [{ sip_account_id: null }, ['sip_account_id']],
      [{ destination: 'team' }, ['team_id']],
      [{ destination: 'team', team_id: await newTeam(foreign) }, ['team_id']],
      [{ team_id: await newTeam(api) }, ['team_id']],
      [{ sip_account_id: await newSipAccount(foreign) }, ['sip_account_id']],
      [{ workspace_id: workspace.id }, ['workspace_id']],
      [{ extension_number: '12' }, ['extension_number']],
    ]
    for (const [changes, fields] of refused) {
      expect(fieldsOf(await api.patch(path, changes)), JSON.stringify(changes)).to.deep.equal(fields)
    }
    expect((await succeed(api.get(path))).sip_account_id).to.equal(another)
    expect((await api.patch('/extensions/ex_unknown', { title: 'x' })).status).to.equal(404)
  })

  it('have a number of their own in the workspace', async () => {
    const made = await succeed(api.post('/extensions', await extensionInput(api)))
    const { extension_number } = made
    const refused = await create({ destination: 'team', team_id: await newTeam(api), extension_number })
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.include(extension_number)
    const other = await succeed(api.post('/extensions', await extensionInput(api)))
    expect((await api.patch(`/extensions/${other.id}`, { extension_number })).status).to.equal(409)
    expect((await api.patch(`/extensions/${made.id}`, { extension_number })).status).to.equal(200)
    const elsewhere = { ...(await extensionInput(foreign)), extension_number }
    expect((await create(elsewhere, foreign)).status).to.equal(201)
  })

  it('are no more than the operator allows', async () => {
    const team_id = await newTeam(api)
    const answers = await Promise.all(
      Array.from({ length: 15 }, async () => create({ destination: 'team', team_id })),
    )
    const counts = [201, 403].map((status) => answers.filter((answer) => answer.status === status).length)
    expect(counts).to.deep.equal([12, 3])
    expect((await create({ destination: 'team', team_id })).body.message).to.include('12 extensions')
  })

  it('are raced for between two servers', async () => {
    const both = [api, api.with({ port: await appliance.startAnotherServer() })]
    const team_id = await newTeam(api)
    const race = async (changes: object) =>
      (
        await Promise.all(
          Array.from({ length: 10 }, async (_, index) =>
            create({ destination: 'team', team_id, ...changes }, both[index % 2]),
          ),
        )
      )
        .map(({ status }) => status)
        .sort()
    const extension_number = newExtensionNumber()
    expect(await race({ extension_number })).to.deep.equal([201, ...Array<number>(9).fill(409)])
    for (let count = 1; count < 9; count++) await succeed(create({ destination: 'team', team_id }))
    expect(await race({})).to.deep.equal([...Array<number>(3).fill(201), ...Array<number>(7).fill(403)])
    expect((await succeed(api.get('/extensions'))).meta.total).to.equal(12)
  })

  it('are listed in pages, sorted and searched', async () => {
    const team_id = await newTeam(api)
    const rows = [
      ['Delta', '300'],
      ['alpha', '2000'],
      ['Charlie', '4001'],
      ['bravo', '400'],
      ['echo', '150'],
    ] as const
    for (const [title, extension_number] of rows) {
      await succeed(create({ destination: 'team', team_id, title, extension_number }))
    }
    const list = async (parameters: string) => succeed(api.get(`/extensions?${parameters}`))
    const titles = async (parameters: string) =>
      (await list(parameters)).data.map(({ title }: { title: string }) => title)
    expect(await titles('')).to.deep.equal(['echo', 'bravo', 'Charlie', 'alpha', 'Delta'])
    expect(await titles('sort_field=title&sort_order=asc')).to.deep.equal([
      ...['alpha', 'bravo', 'Charlie', 'Delta', 'echo'],
    ])
    // As texts: 150, 2000, 300, 400, 4001.
    expect(await titles('sort_field=extension_number&sort_order=asc')).to.deep.equal([
      ...['echo', 'alpha', 'Delta', 'bravo', 'Charlie'],
    ])
    expect((await list('limit=2&page=3')).meta).to.deep.equal({ total: 5, page: 3, limit: 2, total_pages: 3 })
    expect((await list('')).meta.limit).to.equal(10)
    expect(await titles('search=LPH')).to.deep.equal(['alpha'])
    expect(await titles('search=400')).to.deep.equal(['bravo', 'Charlie'])
    expect(await titles('search=%25')).to.deep.equal([])
  })

  it('are filtered by what they lead to, in their export as well', async () => {
    const [one, another] = [await newTeam(api), await newTeam(api)]
    for (const team_id of [one, another])
      await succeed(create({ destination: 'team', team_id, title: team_id }))
    const agent_id = await newAgent(api)
    await succeed(create({ destination: 'agent', agent_id, title: 'Zoe', extension_number: '701' }))
    const titles = async (parameters: string) =>
      (await succeed(api.get(`/extensions?${parameters}`))).data.map(({ title }: { title: string }) => title)
    expect(await titles('destination=team')).to.deep.equal([another, one])
    expect(await titles(`team_id=${one}`)).to.deep.equal([one])
    expect(await titles(`agent_id=${agent_id}`)).to.deep.equal(['Zoe'])
    expect(await titles(`agent_id=${agent_id}&destination=team`)).to.deep.equal([])
    expect(await titles('destination=sip-account')).to.deep.equal([])
    expect(fieldsOf(await api.get('/extensions?destination=fax'))).to.deep.equal(['destination'])
    const { body } = await api.get('/extensions/export.csv?destination=agent')
    expect(String(body).split('\r\n').slice(1)).to.deep.equal([`701,Zoe,agent,${agent_id},,,`, ''])
  })

  it('are told in the audit log, and go with their workspace', async () => {
    const { id } = await succeed(api.post('/extensions', await extensionInput(api)))
    await succeed(api.patch(`/extensions/${id}`, { destination: 'agent', agent_id: await newAgent(api) }))
    const log = await query(appliance, 'SELECT * FROM audit_log WHERE target_id = ? ORDER BY id', [id])
    expect(log.map(({ action }) => action)).to.deep.equal(['extension.create', 'extension.update'])
    expect(log[1].changes).to.have.all.keys('destination', 'agent_id', 'sip_account_id')
    for (const { destination, field, make } of kinds) {
      await succeed(create({ destination, [field]: await make(api) }))
    }
    await succeed(appliance.operator.delete(`/workspaces/${workspace.id}`))
    expect(
      await query(appliance, 'SELECT * FROM extensions WHERE workspace_id = ?', [workspace.id]),
    ).to.have.lengthOf(0)
  })
})
