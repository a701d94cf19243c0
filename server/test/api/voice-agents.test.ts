import { expect } from 'chai'
import type { ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { insertConversation } from './voice-agent-fixtures.js'
import { customTool, fieldsOf, newVoiceAgent, startUnlimited, succeed, voiceAgent } from './fixtures.js'

describe('voice agents', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: ApiClient
  before(async () => {
    appliance = await startUnlimited()
  })
  // Each test has a workspace of its own, as a workspace holds 30 voice agents.
  beforeEach(async () => {
    workspace = await appliance.workspace()
    api = workspace.api
  })
  after(async () => appliance?.stop())

  const create = async (changes: object = {}) => api.post('/voice-agents', { ...voiceAgent, ...changes })

  it('are made with the defaults of the contract', async () => {
    const origin = await insertConversation(workspace)
    const made = await succeed(create(origin))
    const { settings, ...agent } = made
    const title = `Workspace ${workspace.id}`
    const times = { created_at: made.created_at, updated_at: made.created_at }
    expect(agent).to.deep.equal({
      ...{ id: agent.id, name: 'Reception', workspace_id: workspace.id },
      ...{ country_code: 'US', published_version: 1, ...times },
    })
    expect(agent.id).to.match(/^va_/)
    expect(settings.id).to.match(/^vas_/)
    expect(settings).to.deep.equal({
      ...{ id: settings.id, voice_agent_id: agent.id, workspace_id: workspace.id, version: 1 },
      ...{ provider: 'openai', model_id: 'gpt-realtime', voice_id: null },
      greeting_message: `Hello, this is Reception of ${title}. How can I help you?`,
      instructions: voiceAgent.instructions,
      ...{ temperature: 0.8, enable_noise_reduction: true, max_call_duration_seconds: 180 },
      ...{ turn_detection: null, turn_eagerness: null, turn_threshold: null, turn_silence_ms: null },
      ...{ interruption_ms: null, ignore_backchannels: true },
      ...{ language: null, enable_dtmf: true, tool_delay_message: null },
      ...{ tools_id: [], ...times },
    })
    expect(await succeed(api.get(`/voice-agents/${agent.id}`))).to.deep.equal(made)
    const [row] = await query(appliance, 'SELECT conversation, response_id FROM voice_agents WHERE id = ?', [
      agent.id,
    ])
    expect(row).to.deep.equal(origin)
    const path = `/voice-agents/${agent.id}`
    const entries = await query(
      appliance,
      'SELECT action FROM audit_log WHERE target_id IN (?) ORDER BY id',
      [[agent.id, settings.id]],
    )
    expect(entries.map(({ action }) => action)).to.deep.equal([
      'voice_agent.create',
      'voice_agent_settings.create',
    ])
    expect(await succeed(api.delete(path))).to.deep.equal(agent)
    expect((await api.get(path)).status).to.equal(404)
  })

  it('greet in at most 250 characters, whatever the names', async () => {
    const title = '😀'.repeat(64)
    const id = `${workspace.id}x`
    await succeed(appliance.operator.post('/workspaces', { id, title, country_code: 'DE' }))
    const long = appliance.operator.with({ host: `${id}.localhost` })
    const made = await succeed(long.post('/voice-agents', { ...voiceAgent, name: '漢'.repeat(30) }))
    expect(made.country_code).to.equal('DE')
    expect(made.settings.greeting_message).to.include(title)
    expect([...made.settings.greeting_message]).to.have.length.at.most(250)
  })

  it('hold their fields to their lengths', async () => {
    for (const length of [3, 30]) expect((await create({ name: 'x'.repeat(length) })).status).to.equal(201)
    for (const name of ['xx', 'x'.repeat(31), 'a\nb', null, 3]) {
      expect(fieldsOf(await create({ name })), JSON.stringify(name)).to.deep.equal(['name'])
    }
    for (const instructions of ['x'.repeat(10), '😀'.repeat(3500), 'line\nby line\t\u0001']) {
      const made = await succeed(create({ instructions }))
      expect(made.settings.instructions).to.equal(instructions)
    }
    for (const instructions of ['x'.repeat(9), 'x'.repeat(3501)]) {
      expect(fieldsOf(await create({ instructions }))).to.deep.equal(['instructions'])
    }
    expect(fieldsOf(await api.post('/voice-agents', {}))).to.have.members(['name', 'instructions'])
    expect(fieldsOf(await create({ temperature: 1 }))).to.deep.equal(['temperature'])
  })

  it('are listed in pages, sorted and searched by name', async () => {
    const names = ['Delta', 'alpha', 'Charlie', 'bravo']
    for (const name of names) await newVoiceAgent(api, { name })
    const page = async (text: string) => succeed(api.get(`/voice-agents?${text}`))
    const namesOf = async (text: string) => (await page(text)).data.map(({ name }: { name: string }) => name)
    expect(await namesOf('')).to.deep.equal([...names].reverse())
    expect((await page('')).meta).to.deep.equal({ total: 4, page: 1, limit: 10, total_pages: 1 })
    expect(await namesOf('sort_field=name&sort_order=asc&limit=3')).to.deep.equal([
      'alpha',
      'bravo',
      'Charlie',
    ])
    expect(await namesOf('search=LPH')).to.deep.equal(['alpha'])
    const [one] = (await page('search=alpha')).data
    expect(one).to.have.all.keys(
      ...['id', 'name', 'workspace_id', 'country_code', 'published_version', 'created_at', 'updated_at'],
    )
  })

  it('are renamed, and keep everything else', async () => {
    const made = await succeed(create())
    const renamed = await succeed(api.patch(`/voice-agents/${made.id}`, { name: 'Support' }))
    expect(renamed).to.deep.equal({ ...made, name: 'Support', updated_at: renamed.updated_at })
    expect(fieldsOf(await api.patch(`/voice-agents/${made.id}`, { name: 'xx' }))).to.deep.equal(['name'])
    expect(fieldsOf(await api.patch(`/voice-agents/${made.id}`, { published_version: 2 }))).to.deep.equal([
      'published_version',
    ])
  })

  it('answer 404 Voice Agent not found', async () => {
    const path = '/voice-agents/va_unknown'
    const answers = [
      await api.get(path),
      await api.patch(path, { name: 'Other' }),
      await api.delete(path),
      await api.get(`${path}/versions`),
      await api.patch(`${path}/settings`, { version: 1 }),
      await api.patch(`${path}/publish`, { version: 1 }),
      await api.post(`${path}/version`),
      await api.delete(`${path}/version/1`),
      await api.get(`${path}/tools`),
    ]
    for (const { status, body } of answers) {
      expect(body).to.deep.equal({ statusCode: 404, message: 'Voice Agent not found', error: 'Not Found' })
      expect(status).to.equal(404)
    }
  })

  it('are 30 at most, also when two servers are asked at once', async () => {
    const port = await appliance.startAnotherServer()
    const clients = [api, api.with({ port })]
    const answers = await Promise.all(
      Array.from({ length: 36 }, async (_, index) => clients[index % 2]!.post('/voice-agents', voiceAgent)),
    )
    expect(answers.filter(({ status }) => status === 201)).to.have.length(30)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const { status, body } of refused) {
      expect(status).to.equal(403)
      expect(body.message).to.equal('The workspace holds 30 voice agents already')
    }
    expect((await succeed(api.get('/voice-agents'))).meta.total).to.equal(30)
    await succeed(api.delete(`/voice-agents/${answers.find(({ status }) => status === 201)!.body.id}`))
    expect((await create()).status).to.equal(201)
    expect((await create()).status).to.equal(403)
  })

  /** A call flow that connects callers to a voice agent. */
  const flowTo = (voice_agent_id: string) => ({
    title: 'Night line',
    trigger_type: 'inbound',
    nodes: [
      { id: 'start', type: 'start', params: {}, next: { default: 'agent' } },
      { id: 'agent', type: 'connect_voice_agent', params: { voice_agent_id }, next: {} },
    ],
  })

  it('are deleted also while call flows use them', async () => {
    const id = await newVoiceAgent(api)
    const made = await succeed(api.post('/call-flows', flowTo(id)))
    expect((await succeed(api.delete(`/voice-agents/${id}`))).id).to.equal(id)
    expect((await succeed(api.get(`/call-flows/${made.id}`))).nodes[1].params.voice_agent_id).to.equal(id)
  })

  it('go with their workspace, in use or not', async () => {
    const id = await newVoiceAgent(api)
    await succeed(api.post('/call-flows', flowTo(id)))
    await succeed(api.post(`/voice-agents/${id}/tools`, customTool))
    await succeed(appliance.operator.delete(`/workspaces/${workspace.id}`))
    for (const table of ['voice_agents', 'voice_agent_settings', 'voice_agent_tools']) {
      const left = await query(appliance, `SELECT id FROM ${table} WHERE workspace_id = ?`, [workspace.id])
      expect(left, table).to.deep.equal([])
    }
  })
})
