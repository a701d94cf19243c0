import { expect } from 'chai'
import { type ApiClient, eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import type { ChatAnswer, ChatRequest, OpenAiHttpServer } from '../support/openai-http.js'
import { RealtimeServer } from '../support/realtime-server.js'
import { newProvider } from './ai-provider-fixtures.js'
import { query } from './database.js'
import { customTool, fieldsOf, newVoiceAgent, startUnlimited, succeed } from './fixtures.js'
import { chatProvider, houseModel, script } from './voice-agent-fixtures.js'

describe('evaluations of voice agents', function () {
  this.timeout(120_000)
  let appliance: Appliance
  let chats: OpenAiHttpServer
  let workspace: TestWorkspace
  let api: ApiClient
  let agent: string
  let path: string

  before(async () => {
    appliance = await startUnlimited()
    chats = await chatProvider(appliance)
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
    api = workspace.api
    agent = await newVoiceAgent(api)
    path = `/voice-agents/${agent}`
    chats.chats.length = 0
    chats.answers.length = 0
    chats.recover()
    chats.delays.chat = 0
    chats.answering = reception
  })
  afterEach(() => expect(chats.violations).to.deep.equal([]))
  after(async () => {
    await appliance?.stop()
    await chats?.stop()
  })

  /** Opens at nine, looks orders up, transfers to Sales, and says goodbye. */
  function reception(chat: ChatRequest): ChatAnswer {
    const last = chat.messages.at(-1)!
    if (last.role === 'tool') return { text: `It says ${last.content}` }
    const asked = last.content ?? ''
    if (asked.includes('order')) return { toolCalls: [{ name: 'look_up_order', arguments: { number: '7' } }] }
    if (asked.includes('Sales')) return { toolCalls: [{ name: 'transfer_call', arguments: { to: 'Sales' } }] }
    if (asked.includes('bye')) return { text: 'Goodbye.', toolCalls: [{ name: 'end_call', arguments: {} }] }
    return { text: 'We open at nine.' }
  }

  async function settle(id: string) {
    return eventually(
      async () => succeed(api.get(`${path}/evaluations/${id}`)),
      ({ status }) => status !== 'running',
      { withinMs: 60_000, everyMs: 100, what: 'evaluation that has ended' },
    )
  }

  async function evaluated(body: object) {
    const { id } = await succeed(api.post(`${path}/evaluations`, { version: 1, ...body }))
    return settle(id)
  }

  /** The version's model is the test server's, with all tools. */
  async function withTools(model_id = houseModel) {
    await succeed(api.post(`${path}/tools`, customTool))
    const { data } = await succeed(api.get(`${path}/tools`))
    const functions = data.map(({ id }: { id: string }) => id)
    await succeed(api.patch(`${path}/settings`, { version: 1, model_id, functions }))
    return functions as string[]
  }

  const scripts = [
    { name: 'Hours', turns: [{ say: 'When do you open?', expect: [{ says: 'at nine' }, { max_words: 4 }] }] },
    {
      name: 'Order',
      turns: [
        {
          say: 'Where is my order?',
          expect: [
            { calls_tool: { name: 'look_up_order', arguments: { number: '7' } } },
            { says: 'on its way' },
          ],
        },
        { say: 'Goodbye then', expect: [{ ends_call: true }] },
        { say: 'Hello?' },
      ],
      expect: [{ does_not_call_tool: 'transfer_call' }],
      tool_answers: { look_up_order: { state: 'on its way' } },
    },
    {
      name: 'Sales',
      turns: [{ say: 'Give me Sales', expect: [{ transfers_to: 'Support' }, { transfers_to: 'sales' }] }],
      expect: [{ says: 'one moment' }],
    },
  ]

  it('play scripts to a version, and judge its answers by their rules', async () => {
    await withTools()
    const started = await succeed(api.post(`${path}/evaluations`, { version: 1, scripts }))
    expect(started).to.deep.include({
      ...{ voice_agent_id: agent, workspace_id: workspace.id, version: 1, status: 'running' },
      ...{ total: 3, passed: 0, error: null, ended_at: null, is_stale: false },
    })
    const { results, ...evaluation } = await settle(started.id)
    expect(evaluation).to.include({ status: 'completed', total: 3, passed: 2, error: null })
    expect(results.map((one: any) => [one.script_name, one.passed, one.problem])).to.deep.equal([
      ['Hours', true, null],
      ['Order', true, null],
      ['Sales', false, null],
    ])
    const [, order, sales] = results
    const { greeting_message: greeting } = (await succeed(api.get(path))).settings
    expect(order.transcript.map((one: any) => [one.caller, one.voice_agent])).to.deep.equal([
      [null, greeting],
      ['Where is my order?', 'It says {"state":"on its way"}'],
      ['Goodbye then', 'Goodbye.'],
    ])
    expect(order.transcript[1].tool_calls).to.deep.equal([
      { name: 'look_up_order', arguments: { number: '7' }, answer: { state: 'on its way' } },
    ])
    expect(order.usage.inputTextTokens).to.be.greaterThan(0)
    expect(sales.verdicts.filter((one: any) => !one.passed)).to.deep.equal([
      { turn: 1, rule: { transfers_to: 'Support' }, passed: false, seen: 'transferred to Sales' },
      { turn: null, rule: { says: 'one moment' }, passed: false, seen: `said: ${greeting}` },
    ])
    expect(chats.spoken, 'nothing is spoken').to.deep.equal([])
    const [chat] = chats.chats
    expect(chat!.tools!.map((tool) => tool.function.name)).to.have.members([
      ...['transfer_call', 'end_call', 'hold_call', 'collect_digits', 'look_up_order'],
    ])
  })

  for (const protocol of ['ga', 'beta'] as const) {
    it(`are played to models of the Realtime protocol (${protocol}) as text, with their tools`, async () => {
      const realtime = await RealtimeServer.start()
      try {
        realtime.answer = ({ callerText, toolAnswers: [told] }) => {
          if (told !== undefined) return { text: `It says ${told}` }
          const { text, toolCalls = [] } = reception({
            messages: [{ role: 'user', content: callerText }],
          } as unknown as ChatRequest)
          return { ...(text !== undefined && { text }), calls: [...toolCalls] }
        }
        const model = `realtime-${protocol}`
        const { id } = await newProvider(appliance, {
          settings: { base_url: realtime.baseUrl, api_key: realtime.key, protocol },
          ...{ models: [{ id: model, name: model }], voices: [] },
        })
        await withTools(model)
        const { results, ...evaluation } = await evaluated({ scripts })
        expect(evaluation, JSON.stringify(evaluation)).to.include({ status: 'completed', passed: 2 })
        const order = results[1]
        expect(order.transcript.slice(1).map((one: any) => one.voice_agent)).to.deep.equal([
          'It says {"state":"on its way"}',
          'Goodbye.',
        ])
        expect(order.transcript[1].tool_calls).to.have.length(1)
        expect(order.usage.outputTextTokens).to.be.greaterThan(0)
        expect(order.usage.outputAudioTokens).to.equal(0)
        expect(realtime.sessions).to.have.length(3)
        for (const { settings, appends, closed } of realtime.sessions) {
          expect(protocol === 'ga' ? settings.output_modalities : settings.modalities).to.deep.equal(['text'])
          expect(settings.tools).to.have.length(5)
          expect(appends, 'sound of the caller').to.equal(0)
          expect(closed).to.not.equal(null)
        }
        expect(realtime.violations).to.deep.equal([])
        await appliance.operator.patch(`/ai-providers/${id}`, { is_active: false })
      } finally {
        await realtime.stop()
      }
    })
  }

  it('are told with the versions, and are stale once the settings or tools have changed', async () => {
    const tools = await withTools()
    const [versions] = (await succeed(api.get(`${path}/versions`))).data
    expect(versions).to.have.all.keys('version', 'updated_at')
    const { id } = await evaluated({ scripts })
    const last = async () => {
      const [listed] = (await succeed(api.get(`${path}/versions`))).data
      const shown = await succeed(api.get(`${path}?version=1`))
      const published = await succeed(api.patch(`${path}/publish`, { version: 1 }))
      expect(shown.last_evaluation).to.deep.equal(listed.last_evaluation)
      expect(published.last_evaluation).to.deep.equal(listed.last_evaluation)
      return listed.last_evaluation
    }
    expect(await last()).to.include({ id, status: 'completed', total: 3, passed: 2, is_stale: false })
    await succeed(api.post(`${path}/version`))
    expect((await succeed(api.get(path))).settings.version).to.equal(2)
    expect(await succeed(api.get(path))).to.not.have.property('last_evaluation')
    const change = async (settings: object) => api.patch(`${path}/settings`, { version: 1, ...settings })
    const { settings } = await succeed(api.get(`${path}?version=1`))
    await succeed(change({ instructions: 'Something else entirely.' }))
    const stale = async () =>
      (await succeed(api.get(`${path}/evaluations?version=1`))).data.map((one: any) => one.is_stale)
    expect(await stale()).to.deep.equal([true])
    await succeed(change({ instructions: settings.instructions }))
    expect(await stale()).to.deep.equal([false])
    await succeed(api.patch(`${path}/tools/${tools.at(-1)}`, { description: 'Finds anything' }))
    expect(await stale()).to.deep.equal([true])
    const { id: second } = await evaluated({ scripts: scripts.slice(0, 1) })
    const { data } = await succeed(api.get(`${path}/evaluations?version=1`))
    expect(data.map((one: any) => [one.id, one.is_stale])).to.deep.equal([
      [second, false],
      [id, true],
    ])
    expect((await succeed(api.get(`${path}/evaluations?version=2`))).data).to.deep.equal([])
    expect((await succeed(api.get(`${path}/versions`))).data[1].last_evaluation).to.include({ id: second })
  })

  it('play the scripts that are kept, unless some are named', async () => {
    await withTools()
    const kept = []
    for (const one of scripts) kept.push(await succeed(api.post(`${path}/evaluations/scripts`, one)))
    const all = await evaluated({})
    expect(all.results.map((one: any) => one.script_id)).to.deep.equal(kept.map(({ id }) => id))
    const some = await evaluated({ script_ids: [kept[2].id], scripts: [scripts[0]] })
    expect(some.results.map((one: any) => [one.script_id, one.script_name])).to.deep.equal([
      [kept[2].id, 'Sales'],
      [null, 'Hours'],
    ])
  })

  it('are written as scripts that are held to their rules', async () => {
    const create = async (changes: object) =>
      api.post(`${path}/evaluations/scripts`, { ...script, ...changes })
    const made = await succeed(create({}))
    expect(made).to.deep.include({ ...script, voice_agent_id: agent, workspace_id: workspace.id })
    const one = `${path}/evaluations/scripts/${made.id}`
    expect(await succeed(api.get(one))).to.deep.equal(made)
    expect((await create({})).status).to.equal(409)
    const plain = await succeed(
      api.post(`${path}/evaluations/scripts`, { name: 'Plain', turns: [{ say: 'Hi' }] }),
    )
    expect(plain).to.deep.include({ expect: [], tool_answers: {} })
    const changed = await succeed(api.patch(one, { name: 'Hours', expect: [] }))
    expect(changed).to.deep.equal({ ...made, name: 'Hours', expect: [], updated_at: changed.updated_at })
    const turn = (rule: object) => ({ turns: [{ say: 'x', expect: [rule] }] })
    for (const [changes, field] of [
      [{ turns: [] }, 'turns'],
      [turn({}), 'turns.0.expect.0'],
      [turn({ says: 'a', says_not: 'b' }), 'turns.0.expect.0'],
      [turn({ matches: '(' }), 'turns.0.expect.0.matches'],
      [turn({ calls_tool: {} }), 'turns.0.expect.0.calls_tool.name'],
      [turn({ sings: 'x' }), 'turns.0.expect.0.sings'],
      [{ expect: [{ replies_within: 0 }] }, 'expect.0.replies_within'],
      [{ tool_answers: { 'No name': 1 } }, 'tool_answers.No name'],
      [{ tool_answers: { look_up: 'x'.repeat(20_000) } }, 'tool_answers'],
    ] as const) {
      expect(
        fieldsOf(await create({ name: 'x', ...changes })),
        JSON.stringify(changes).slice(0, 80),
      ).to.include(field)
      expect(fieldsOf(await api.patch(one, changes)), field).to.include(field)
    }
    const odd = { look_up: { lone: '\ud800', deep: JSON.parse('['.repeat(200) + ']'.repeat(200)) } }
    expect((await succeed(create({ name: 'Odd', tool_answers: odd }))).tool_answers).to.deep.equal(odd)
    const called = turn({ calls_tool: { name: 'look_up', arguments: odd.look_up } })
    expect(await succeed(create({ name: 'Odd too', ...called }))).to.deep.include(called)
    await succeed(api.delete(one))
    expect((await api.get(one)).status).to.equal(404)
    await query(
      appliance,
      `INSERT INTO voice_agent_evaluation_scripts
        SELECT CONCAT('evs_', LPAD(seq, 26, 'x')), ?, ?, CONCAT('s', seq), '[]', '[]', '{}', NOW(3), NOW(3)
        FROM seq_1_to_47`,
      [workspace.id, agent],
    )
    expect((await create({ name: 'One more' })).status).to.equal(403)
  })

  it('say what cannot be played', async () => {
    const start = async (body: object) => api.post(`${path}/evaluations`, { version: 1, scripts, ...body })
    expect(fieldsOf(await start({ version: 2 }))).to.deep.equal(['version'])
    expect(fieldsOf(await start({ script_ids: ['evs_unknown'] }))).to.deep.equal(['script_ids.0'])
    const broken = [{ name: 'x', turns: [{ say: 'x', expect: [{ matches: '[' }] }] }]
    expect(fieldsOf(await start({ scripts: broken }))).to.deep.equal(['scripts.0.turns.0.expect.0.matches'])
    const nothing = await api.post(`${path}/evaluations`, { version: 1 })
    expect(nothing.status).to.equal(400)
    expect(nothing.body.message).to.match(/has no scripts/)
    expect((await api.get(`${path}/evaluations/eva_unknown`)).status).to.equal(404)
    const other = await newVoiceAgent(api)
    const { id } = await succeed(start({}))
    expect((await api.get(`/voice-agents/${other}/evaluations/${id}`)).status).to.equal(404)
  })

  it('fail with a reason when the model is refused', async () => {
    await succeed(api.patch(`${path}/settings`, { version: 1, model_id: 'nobodys' }))
    const evaluation = await evaluated({ scripts })
    expect(evaluation).to.include({ status: 'failed', passed: 0, total: 3 })
    expect(evaluation.error).to.be.a('string').and.include('nobodys')
    expect(evaluation.ended_at).to.be.a('string')
  })

  it('are five at most at once in a workspace', async () => {
    await withTools()
    chats.delays.chat = 1_000
    const started = []
    for (let count = 0; count < 5; count++)
      started.push(await succeed(api.post(`${path}/evaluations`, { version: 1, scripts })))
    expect((await api.post(`${path}/evaluations`, { version: 1, scripts })).status).to.equal(409)
    chats.delays.chat = 0
    for (const { id } of started) expect((await settle(id)).status).to.equal('completed')
    expect((await api.post(`${path}/evaluations`, { version: 1, scripts })).status).to.equal(201)
  })

  it('go on after the server was killed, with what had no result yet', async () => {
    await withTools()
    // One script hangs, so that the server dies with the others done.
    chats.answering = (chat) =>
      chat.messages.at(-1)!.content?.includes('Sales')
        ? { text: 'Well.', msBetween: 60_000 }
        : reception(chat)
    const { id } = await succeed(api.post(`${path}/evaluations`, { version: 1, scripts }))
    const { results: before } = await eventually(
      async () => succeed(api.get(`${path}/evaluations/${id}`)),
      ({ results }) => results.length === 2,
      { withinMs: 30_000 },
    )
    await appliance.killServer()
    chats.answering = reception
    const heard = chats.chats.length
    await appliance.startServer()
    const { results, ...evaluation } = await settle(id)
    expect(evaluation).to.include({ status: 'completed', passed: 2 })
    expect(results.slice(0, 2)).to.deep.equal(before)
    expect(chats.chats.slice(heard).map(({ messages }) => messages.at(-1)!.content)).to.deep.equal([
      'Give me Sales',
    ])
  })

  it('are broken off by a stop that does not wait for them', async () => {
    await withTools()
    chats.answering = () => ({ text: 'Well, well, well.', msBetween: 60_000 })
    const { id } = await succeed(
      api.post(`${path}/evaluations`, { version: 1, scripts: scripts.slice(0, 1) }),
    )
    await eventually(
      async () => chats.chats.length,
      (count) => count > 0,
    )
    expect(await appliance.stopServer()).to.equal(0)
    chats.answering = reception
    await appliance.startServer()
    expect(await settle(id)).to.include({ status: 'completed', passed: 1 })
  })
})
