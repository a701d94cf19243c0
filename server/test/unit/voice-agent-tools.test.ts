/** Tools of voice agents: what models may write, and servers of customers that answer well, badly, or not at all. */
import { createHmac } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { pino } from 'pino'
import { parseNetwork } from '../../src/lib/networks.js'
import { GuardedClient } from '../../src/infrastructure/http-client/guarded-client.js'
import { topics } from '../../src/infrastructure/observability/telemetry.js'
import { builtinTools } from '../../src/features/voice-agents/builtin-tools.js'
import { Holds } from '../../src/features/voice-agents/tools/hold-call.js'
import { SpeechTools, schemaOf } from '../../src/features/voice-agents/tools/speech-tools.js'
import { tracingContexts } from '../../src/infrastructure/observability/tracing-contexts.js'
import { maxArguments, readArguments } from '../../src/features/voice-agents/tools/tool-arguments.js'
import type { ToolContext } from '../../src/features/voice-agents/tools/tool-runner.js'
import { VoiceAgentToolRunner } from '../../src/features/voice-agents/tools/voice-agent-tool-runner.js'
import type { VoiceAgentSettings } from '../../src/features/voice-agent-sessions/voice-agent-settings.entity.js'
import type {
  ToolParameter,
  VoiceAgentTool,
} from '../../src/features/voice-agents/voice-agent-tool.entity.js'
import { CustomerServer, answering, misbehaviours, writing } from '../support/customer-server.js'
import { freePorts } from '../support/free-ports.js'

const parameter = (type: ToolParameter['type'], more: Partial<ToolParameter> = {}): ToolParameter => ({
  ...{ type, description: '', required: false },
  ...more,
})

const parameters = {
  number: parameter('string', { description: 'The order’s number', required: true }),
  size: parameter('string', { enum: ['small', 'large'] }),
  count: parameter('integer'),
  weight: parameter('number'),
  gift: parameter('boolean'),
  lines: parameter('array'),
  address: parameter('object'),
  // Every object has one of these.
  constructor: parameter('string'),
}

const tool = (more: Partial<VoiceAgentTool> = {}): VoiceAgentTool => ({
  ...{ id: 'vat_1', workspace_id: 'acme', voice_agent_id: 'va_1', name: 'look_up_order' },
  ...{ description: 'Finds an order', tool_type: 'custom', webhook_url: null, webhook_method: 'POST' },
  ...{ webhook_headers: null, parameters, required_params: ['number'], is_active: true },
  ...{ created_at: new Date(), updated_at: new Date() },
  ...more,
})

describe('arguments of tools', () => {
  const read = (text: string) => readArguments(tool(), text)

  it('have a JSON Schema', () => {
    expect(schemaOf({ number: parameters.number, lines: parameters.lines })).to.deep.equal({
      type: 'object',
      properties: {
        number: { type: 'string', description: 'The order’s number' },
        lines: { type: 'array', description: '', items: {} },
      },
      required: ['number'],
      additionalProperties: false,
    })
  })

  it('are taken when they are as it says', () => {
    const all = {
      ...{ number: '12', size: 'small', count: 3, weight: 1.5, gift: true },
      ...{ lines: [1, 'a', null], address: { street: { name: 'x' } }, constructor: 'y' },
    }
    expect(read(JSON.stringify(all))).to.deep.equal({ values: all })
    expect(readArguments({ parameters: {} }, ' ')).to.deep.equal({ values: {} })
  })

  it('are refused otherwise, with the field and the rule', () => {
    const required = 'number is required'
    for (const [text, wrong] of [
      ['', required],
      ['{}', required],
      ['{"number": 12}', 'number must be of type string'],
      ['{"number": "1", "size": "huge"}', 'size must be one of small, large'],
      ['{"number": "1", "count": 1.5}', 'count must be of type integer'],
      ['{"number": "1", "count": "3"}', 'count must be of type integer'],
      ['{"number": "1", "gift": null}', 'gift must be of type boolean'],
      ['{"number": "1", "lines": {}}', 'lines must be of type array'],
      ['{"number": "1", "colour": "red"}', 'colour is not a known field'],
      ['{"colour": "red"}', `${required}; colour is not a known field`],
      ['[]', 'the arguments must be a JSON object'],
      ['null', 'the arguments must be a JSON object'],
      ['{"number": ', 'the arguments must be a JSON object'],
      [
        `{"number": "1", "lines": ${'['.repeat(70)}${']'.repeat(70)}}`,
        'the arguments must have at most 64 levels',
      ],
      [
        `{"number": "${'1'.repeat(maxArguments)}"}`,
        `the arguments must have at most ${maxArguments} characters`,
      ],
    ] as const) {
      expect(read(text), text.slice(0, 60)).to.deep.equal({ wrong })
    }
    const own = { parameters: { constructor: parameter('string', { required: true }) } }
    expect(readArguments(own, '{}')).to.deep.equal({ wrong: 'constructor is required' })
  })

  it('of tools that are built in are checked by theirs', () => {
    const hold = builtinTools.find(({ name }) => name === 'hold_call')!
    expect(readArguments(hold, '{"action": "resume"}')).to.deep.equal({ values: { action: 'resume' } })
    expect(readArguments(hold, '{"action": "stop"}')).to.deep.equal({
      wrong: 'action must be one of hold, resume',
    })
  })
})

describe('tools that ask a server', function () {
  this.timeout(40_000)

  /** 127.0.0.2 stands for the Internet, 127.0.0.1 for what must not be reached. */
  let server: CustomerServer
  let hidden: CustomerServer
  let client: GuardedClient
  let runner: VoiceAgentToolRunner
  let tools: VoiceAgentTool[]
  let notes: Record<string, unknown>[]
  let ended: AbortController

  before(async () => {
    server = await CustomerServer.start('127.0.0.2')
    hidden = await CustomerServer.start()
    client = new GuardedClient({ allowed_networks: [parseNetwork('127.0.0.2/32')!], dns_servers: [] })
  })
  beforeEach(() => {
    notes = []
    ended = new AbortController()
    runner = new VoiceAgentToolRunner({
      tools: {
        headersOf: () => ({ Authorization: 'Bearer hidden', 'Jackfield-Call-Id': 'call_forged' }),
      },
      speechTools: new SpeechTools({ list: async () => Promise.resolve(tools) }),
      store: {
        note: async (...events) => {
          notes.push(...events.map(({ event, details }) => ({ event, ...details })))
          return Promise.resolve()
        },
      },
      targets: { find: async () => Promise.reject(new Error('no transfers here')) },
      client,
      secretOf: async ({ id }) => Promise.resolve(`secret of ${id}`),
      log: pino({ level: 'silent' }),
    })
  })
  afterEach(() => expect(hidden.asked, 'what must not be reached').to.deep.equal([]))
  after(async () => {
    client?.close()
    await Promise.all([server?.stop(), hidden?.stop()])
  })

  const settings = (ids: string[]) =>
    ({ voice_agent_id: 'va_1', version: 7, tools_id: ids }) as VoiceAgentSettings
  const contextOf = (ids = ['vat_1']): ToolContext =>
    ({
      ...{ workspace: { id: 'acme' }, voiceAgentId: 'va_1', settings: settings(ids) },
      call: { id: 'call_1', from_number: '+12025550142', to_number: '+12025550199' },
      signal: ended.signal,
      note: (event: string, details: object) => notes.push({ event, ...details }),
    }) as unknown as ToolContext
  const run = async (changes: Partial<VoiceAgentTool>, values: object | string = { number: '12' }) => {
    tools = [tool(changes)]
    const text = typeof values === 'string' ? values : JSON.stringify(values)
    const answer = await runner.run(contextOf(), { id: 'fc 1/2', name: 'look_up_order', arguments: text })
    expect(answer.ends).to.equal(undefined)
    return JSON.parse(answer.output) as Record<string, unknown>
  }
  const isSigned = (header: unknown, text: string): boolean => {
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(header)) ?? []
    return createHmac('sha256', 'secret of acme').update(`${t}.${text}`).digest('hex') === v1
  }

  it('is told to those who trace, and carries what they show', async () => {
    const told: object[] = []
    const ends = [
      topics.callback.subscribe((news) => told.push(news)),
      tracingContexts.callback.trace(({ callId }) => ({
        traceId: '',
        spanId: '',
        shown: callId,
        isOver: false,
      })),
    ]
    await run({ webhook_url: server.on('/traced', answering({})) })
    await run({ webhook_url: 'http://127.0.0.1:1/' })
    for (const end of ends) end()
    expect(server.at('/traced')[0]?.headers['traceparent']).to.equal('call_1')
    expect(told).to.deep.equal([
      { responseStatus: 200, error: null },
      { responseStatus: null, error: 'failed' },
    ])
  })

  for (const method of ['POST', 'PUT', 'PATCH'] as const) {
    it(`${method} the arguments with the call, signed`, async () => {
      const webhook_url = server.on(`/${method}`, answering({ state: 'sent' }))
      const values = { number: '12', address: { city: 'Köln' } }
      expect(await run({ webhook_url, webhook_method: method }, values)).to.deep.equal({
        ...{ status: 200, answer: { state: 'sent' } },
      })
      const [asked] = server.at(`/${method}`)
      expect(asked?.method).to.equal(method)
      expect(asked?.body).to.deep.equal({
        ...{ event: 'voice_agent.tool', tool: 'look_up_order', tool_call_id: 'fc 1/2' },
        ...{ call_id: 'call_1', workspace_id: 'acme', voice_agent_id: 'va_1', version: 7 },
        ...{ caller_number: '+12025550142', destination_number: '+12025550199' },
        arguments: values,
      })
      expect(asked?.headers).to.include({
        ...{ 'content-type': 'application/json', authorization: 'Bearer hidden' },
        ...{ 'idempotency-key': 'call_1-fc_1_2', 'jackfield-call-id': 'call_1' },
        ...{ 'jackfield-workspace-id': 'acme', 'jackfield-voice-agent-id': 'va_1' },
        'jackfield-tool': 'look_up_order',
      })
      expect(isSigned(asked?.headers['jackfield-signature'], asked?.text ?? '')).to.equal(true)
      const [note] = notes
      expect(note?.['duration_ms']).to.be.a('number')
      expect(note).to.deep.include({
        ...{ event: 'call.tool', tool: 'look_up_order', tool_id: 'vat_1', outcome: 'completed' },
        ...{ arguments: JSON.stringify(values), status: 200 },
        answer: '{"status":200,"answer":{"state":"sent"}}',
      })
      expect(JSON.stringify(notes)).to.not.include('hidden')
    })
  }

  for (const method of ['GET', 'DELETE'] as const) {
    it(`${method} with the arguments in the query, signed`, async () => {
      const webhook_url = `${server.on(`/${method}`, writing('yes', { 'content-type': 'text/plain' }))}?shop=1`
      const values = { number: 'ü &12', count: 3, gift: false, lines: [1, 2] }
      expect(await run({ webhook_url, webhook_method: method }, values)).to.deep.equal({
        ...{ status: 200, answer: 'yes' },
      })
      const [asked] = server.at(`/${method}`)
      expect(asked?.method).to.equal(method)
      expect(asked?.text).to.equal('')
      expect(Object.fromEntries(asked?.query ?? [])).to.deep.equal({
        ...{ shop: '1', number: 'ü &12', count: '3', gift: 'false', lines: '[1,2]' },
      })
      expect(asked?.headers['jackfield-call-id']).to.equal('call_1')
      const target = `${asked?.path}?${asked?.query.toString()}`
      expect(isSigned(asked?.headers['jackfield-signature'], target)).to.equal(true)
    })
  }

  it('are not asked with arguments that are not right, and the model is told why', async () => {
    const webhook_url = server.on('/checked', answering({}))
    expect(await run({ webhook_url }, { number: 1 })).to.deep.equal({
      error: 'number must be of type string',
    })
    expect(notes[0]).to.include({ outcome: 'invalid', arguments: '{"number":1}' })
    const long = 'x'.repeat(3_000)
    expect(await run({ webhook_url, webhook_method: 'GET' }, { number: long })).to.deep.equal({
      error: 'the URL with its arguments must have at most 2048 characters',
    })
    expect(server.at('/checked')).to.deep.equal([])
  })

  it('tell the model of every other answer', async () => {
    const [status, broken] = [server.on('/404', answering({ message: 'no such order' }, 404)), '{"half":']
    expect(await run({ webhook_url: status })).to.deep.equal({
      ...{ error: 'The service answered with an error.', status: 404, answer: { message: 'no such order' } },
    })
    expect(notes.at(-1)).to.include({ outcome: 'status', status: 404 })
    expect(await run({ webhook_url: server.on('/text', writing(broken)) })).to.deep.equal({
      ...{ status: 200, answer: broken },
    })
    expect(await run({ webhook_url: server.on('/empty', writing('')) })).to.deep.equal({
      ...{ status: 200, answer: null },
    })
    const deep = '['.repeat(8_000) + ']'.repeat(8_000)
    expect(await run({ webhook_url: server.on('/deep', writing(deep)) })).to.deep.equal({
      ...{ status: 200, answer: deep },
    })
    const zipped = writing(gzipSync('{}'), { 'content-encoding': 'gzip' })
    expect(await run({ webhook_url: server.on('/zipped', zipped) })).to.have.property('error')
    const binary = writing(Buffer.from([0xff, 0xfe, 0x00]))
    expect(await run({ webhook_url: server.on('/binary', binary) })).to.deep.equal({
      error: 'The service answered with something that cannot be read.',
    })
    expect(notes.at(-1)).to.include({ outcome: 'not_text', cause: 'no UTF-8' })
  })

  it('keep pages and traces of servers that are broken from the model', async () => {
    const page = '<html><body>502 Bad Gateway: connect() to 10.0.0.7:8080 failed</body></html>'
    const trace = {
      error: 'Error: connect ECONNREFUSED 10.0.0.7:5432 at Object.<anonymous> (/srv/app.js:3:9)',
    }
    for (const [path, answer, status] of [
      ['/page', page, 404],
      ['/trace', trace, 500],
    ] as const) {
      const told = await run({ webhook_url: server.on(path, answering(answer, status)) })
      expect(told).to.deep.equal({ error: 'The service answered with an error.', status })
      expect(notes.at(-1)).to.include({ outcome: 'status', status })
      expect(String(notes.at(-1)?.['cause'])).to.include('10.0.0.7')
    }
  })

  it('cut a long answer, and say so', async () => {
    const text = `${'x'.repeat(16_383)}ü and more`
    const told = await run({ webhook_url: server.on('/long', writing(text)) })
    expect(told).to.deep.equal({
      ...{ status: 200, answer: 'x'.repeat(16_383) },
      note: 'The answer was longer: these are its first 16384 bytes.',
    })
    const endless = await run({ webhook_url: server.on('/endless', misbehaviours.endless) })
    expect(endless).to.include.keys('note')
    expect(String(notes.at(-1)?.['answer'])).to.have.length(4_096)
  })

  it('are given up when nothing comes within ten seconds', async () => {
    const since = Date.now()
    const told = await run({ webhook_url: server.on('/hangs', misbehaviours.hangs) })
    expect(told).to.deep.equal({ error: 'The service took too long to answer.' })
    expect(Date.now() - since).to.be.within(9_900, 20_000)
    expect(notes[0]).to.include({ outcome: 'timeout', status: null })
  })

  it('are not asked where they may not be', async () => {
    const told = await run({ webhook_url: hidden.url('/x') })
    expect(told).to.deep.equal({ error: 'The service could not be reached.' })
    expect(notes[0]).to.include({ outcome: 'refused', message: 'The service could not be reached.' })
    expect(notes[0]?.['cause'], 'for engineers').to.equal('the URL must lead to a public address')
    const dropped = await run({ webhook_url: server.on('/resets', misbehaviours.resets) })
    expect(dropped).to.deep.equal({ error: 'The service could not be reached.' })
    expect(notes.at(-1)).to.include({ outcome: 'network' })
    expect(notes.at(-1)?.['cause']).to.be.a('string')
  })

  it('give the model no address and no code of a network that is down', async () => {
    const [free] = await freePorts(1)
    const told = await run({ webhook_url: `http://127.0.0.2:${free}/` })
    expect(told).to.deep.equal({ error: 'The service could not be reached.' })
    expect(JSON.stringify(notes.at(-1)?.['cause'])).to.match(/ECONNREFUSED/)
    expect(String(notes.at(-1)?.['answer'])).not.to.match(/ECONNREFUSED|127\.0/)
  })

  it('stand on the timeline also when the session ends before the answer', async () => {
    const webhook_url = server.on('/late', (asked, response) => {
      ended.abort()
      answering({ done: true })(asked, response)
    })
    await run({ webhook_url })
    expect(notes).to.have.length(1)
    expect(notes[0]).to.include({ event: 'call.tool', outcome: 'completed', status: 200 })
  })

  it('are only those that are enabled and active', async () => {
    tools = [
      tool({ id: 'vat_1' }),
      tool({ id: 'vat_2', name: 'off', is_active: false }),
      tool({ id: 'vat_3', name: 'not_enabled' }),
    ]
    const offered = await runner.toolsOf({ id: 'acme' }, settings(['vat_1', 'vat_2']))
    expect(offered).to.deep.equal([
      { name: 'look_up_order', description: 'Finds an order', parameters: schemaOf(parameters) },
    ])
    for (const name of ['off', 'not_enabled', 'x'.repeat(1_000)]) {
      const answer = await runner.run(contextOf(['vat_1', 'vat_2']), { id: 'fc', name, arguments: '{}' })
      expect(JSON.parse(answer.output)).to.deep.equal({
        error: `there is no tool ${name.slice(0, 64)} that may be called now`,
      })
      expect(notes.at(-1)).to.include({ tool: name.slice(0, 64), tool_id: null, outcome: 'unknown' })
    }
  })

  it('answer also when the platform itself fails', async () => {
    tools = [tool({ tool_type: 'builtin', name: 'transfer_call', parameters: {} })]
    const answer = await runner.run(contextOf(), { id: 'fc', name: 'transfer_call', arguments: '{}' })
    expect(JSON.parse(answer.output)).to.deep.equal({ error: 'the platform could not do it now' })
    expect(notes[0]).to.include({ outcome: 'internal', tool: 'transfer_call' })
  })
})

describe('a hold of a voice agent', () => {
  /** A talk in which the voice agent is the operator: who holds, and what was done. */
  class HeldTalk extends EventEmitter {
    readonly done: string[] = []
    isOver = false
    private readonly holders = new Set<string>()
    at(side: string) {
      return { leg: { voice_agent_id: side === 'destination' ? 'va_1' : null } }
    }
    isHeldBy(side: string): boolean {
      return this.holders.has(side)
    }
    async hold(side: string) {
      this.holders.add(side)
      this.done.push(`hold ${side}`)
      return Promise.resolve()
    }
    async unhold(side: string) {
      this.holders.delete(side)
      this.done.push(`unhold ${side}`)
      return Promise.resolve()
    }
  }
  const limitMs = 100
  let bridge: HeldTalk
  let ended: AbortController
  let told: string[]
  let holds: Holds
  beforeEach(() => {
    bridge = new HeldTalk()
    ended = new AbortController()
    told = []
    holds = new Holds(limitMs)
  })

  const run = async (action: string) => {
    const context = {
      ...{ voiceAgentId: 'va_1', live: { bridge }, signal: ended.signal },
      heard: async () => Promise.resolve(),
      instruct: (text: string) => told.push(text),
    }
    return holds.run(context as unknown as ToolContext, { action })
  }
  const hasPassed = async () => sleep(limitMs * 3)

  it('ends by itself, and the model is told', async () => {
    const { outcome, output: answer } = await run('hold')
    expect(outcome).to.equal('completed')
    expect(answer['note']).to.include('within 0.1 seconds')
    expect(bridge.done).to.deep.equal(['hold destination'])
    await hasPassed()
    expect(bridge.done).to.deep.equal(['hold destination', 'unhold destination'])
    expect(told).to.deep.equal(['The hold has lasted too long: the caller is with you again.'])
  })

  it('has its limit anew each time', async () => {
    await run('hold')
    await sleep(limitMs / 2)
    await run('resume')
    const since = performance.now()
    await run('hold')
    while (bridge.isHeldBy('destination')) await sleep(1)
    // Timers may come a millisecond early.
    expect(performance.now() - since).to.be.at.least(limitMs - 2)
    await hasPassed()
    expect(told).to.have.length(1)
  })

  it('is not ended once the model has ended it, the session is over, or the talk', async () => {
    await run('hold')
    await run('resume')
    await hasPassed()
    await run('hold')
    ended.abort()
    await hasPassed()
    ended = new AbortController()
    await run('hold')
    bridge.emit('over')
    await hasPassed()
    expect(bridge.done.filter((one) => one.startsWith('unhold'))).to.have.length(1)
    expect(told).to.deep.equal([])
    expect(bridge.listenerCount('over')).to.equal(0)
  })

  it('needs somebody to hold', async () => {
    bridge.isOver = true
    expect(await run('hold')).to.deep.include({ outcome: 'failed' })
    expect(bridge.done).to.deep.equal([])
  })
})
