/** Flows that ask a customer's own server, which answers well, badly or not at all: the call always goes on. */
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { pino } from 'pino'
import { callbackDeadlineMs } from '../../src/infrastructure/callbacks/callback-client.js'
import { SwitchLink } from '../../src/adapters/freeswitch/switch-link.js'
import { query } from '../api/database.js'
import { agentInput, succeed } from '../api/fixtures.js'
import { eventually } from '../support/api-client.js'
import { multipart, wavFile } from '../support/audio-files.js'
import { Child } from '../support/child.js'
import { CustomerServer, answering, misbehaviours, writing } from '../support/customer-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { freePort } from '../support/free-ports.js'
import { InboundBench, type TestNode } from '../support/inbound-bench.js'
import { type PhoneDialog, hears } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'

const docs = fileURLToPath(new URL('../../../../docs/integrate/callbacks.md', import.meta.url))

type Behaviour = Parameters<CustomerServer['on']>[1]

/** What a caller hears of each branch. */
const tones = { found: 500, completed: 600, not_found: 700, error: 1200 }

const caller = (index: number) => `+1212555${String(1000 + index)}`

describe('callbacks of flows on the freeswitch', function () {
  this.timeout(90_000)
  let bench: InboundBench
  /** 127.0.0.2 stands for the Internet, 127.0.0.1 for what must not be reached. */
  let server: CustomerServer
  let hidden: CustomerServer
  let calls = 0
  let numbers = 0
  const audios: Record<string, string> = {}

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    server = await CustomerServer.start('127.0.0.2')
    hidden = await CustomerServer.start()
    const settings = { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.2/32' }
    bench = await InboundBench.start({ settings })
    for (const [branch, hz] of Object.entries(tones)) {
      const file = { name: 'tone.wav', content: wavFile(hz, 2) }
      const raw = multipart({ title: branch }, file)
      const { body } = await bench.api.request('POST', '/audios', { raw })
      audios[branch] = body.id
    }
  })
  after(async () => {
    await bench?.stop()
    await Promise.all([server?.stop(), hidden?.stop()])
  })

  /** A node that plays the tone of a branch. */
  const sounds = (branch: keyof typeof tones): TestNode => ({
    ...{ id: `on_${branch}`, type: 'play', params: { audio_id: audios[branch] } },
  })
  const edges = (...branches: (keyof typeof tones)[]) =>
    Object.fromEntries(branches.map((branch) => [branch, `on_${branch}`]))
  const lookup = (url?: string): TestNode[] => [
    { id: 'ask', type: 'contact_lookup', params: { url }, next: edges('found', 'not_found', 'error') },
    ...[sounds('found'), sounds('not_found'), sounds('error')],
  ]
  const jca = (url: string): TestNode[] => [
    { id: 'ask', type: 'json_call_action', params: { url }, next: edges('completed', 'error') },
    ...[sounds('completed'), sounds('error')],
  ]

  /** Calls the number while it runs a flow; other calls may run at the same time. */
  async function calling(nodes: TestNode[]): Promise<{ dialog: PhoneDialog; from: string }> {
    const from = caller(++calls)
    await bench.runs(nodes)
    const phone = await bench.caller({ username: from })
    const dialog = phone.call(bench.number)
    await dialog.heard(180)
    return { dialog, from }
  }

  const callOf = async (from: string): Promise<string> => {
    const search = encodeURIComponent(from.slice(1))
    const { body } = await bench.api.get(`/calls?search=${search}`)
    return body.data[0].call_id
  }

  async function over(from: string) {
    const id = await callOf(from)
    await bench.bench.ended(id)
    const timeline = await bench.timeline(id)
    const callbacks = timeline.filter(({ event }) => event === 'call.callback')
    return { id, timeline, path: await bench.path(id), callbacks: callbacks.map(({ details }) => details!) }
  }

  const hearing = async (dialog: PhoneDialog, hz: number) =>
    eventually(
      async () => hears(dialog, hz, 2_000),
      (level) => level > 0.5,
      { withinMs: 20_000, what: `${hz} Hz` },
    )

  it('go on by the branch of errors, in time, whatever the server does', async () => {
    const redirects: Behaviour = (_, response) =>
      response.writeHead(307, { location: hidden.url('/secret') }).end()
    const anyNode: Record<string, [string, Behaviour]> = {
      hangs: ['timeout', misbehaviours.hangs],
      drips: ['timeout', misbehaviours.drips],
      fails: ['status', answering({ name: 'Zoe', actions: [] }, 500)],
      'writes 10 MB': ['too_long', misbehaviours.endless],
      'writes no JSON': ['not_json', writing('{"name":"Zoe"')],
      'writes a list': ['not_object', answering([{ name: 'Zoe' }])],
      resets: ['network', misbehaviours.resets],
      redirects: ['refused', redirects],
    }
    const tts = (text: string) => ({ action: 'tts', params: { text } })
    const wrongActions: Record<string, [unknown, string]> = {
      none: [{}, 'actions is required'],
      text: [{ actions: 'tts' }, 'actions must be of type array'],
      object: [{ actions: { 0: tts('Hello') } }, 'actions must be of type array'],
      null: [{ actions: null }, 'actions must be of type array'],
    }
    const expected = new Map<string, { kind: string; what: string; error: string; message: string }>()
    const dialogs: PhoneDialog[] = []
    const place = async (
      nodes: TestNode[],
      is: { kind: string; what: string; error: string; message: string },
    ) => {
      const { dialog, from } = await calling(nodes)
      dialogs.push(dialog)
      expected.set(from, is)
    }
    for (const [what, [error, behaviour]] of Object.entries(anyNode)) {
      const url = server.on(`/${encodeURIComponent(what)}`, behaviour)
      await place(lookup(url), { kind: 'contact_lookup', what, error, message: '' })
      await place(jca(url), { kind: 'json_call_action', what, error, message: '' })
    }
    for (const [what, [answer, message]] of Object.entries(wrongActions)) {
      const url = server.on(`/${what}`, answering(answer))
      await place(jca(url), { kind: 'json_call_action', what, error: 'invalid', message })
    }
    await Promise.all(dialogs.map(async (dialog) => hearing(dialog, tones.error)))
    for (const [from, { kind, what, error, message }] of expected) {
      const { path, callbacks } = await over(from)
      const told = `${kind} where the server ${what}`
      expect(path, told).to.deep.equal(['ask:error', 'on_error:completed'])
      expect(callbacks, told).to.have.length(1)
      expect(callbacks[0], told).to.include({ kind, node_id: 'ask', error })
      expect(callbacks[0]!['message'], told).to.include(message)
      expect(callbacks[0]!['request'], told).to.include(`"caller_number":"${from}"`)
      expect(callbacks[0]!['duration_ms'], told).to.be.below(callbackDeadlineMs + 2_000)
    }
    expect(hidden.asked, 'what must not be reached').to.deep.equal([])
  })

  it('run the actions that are right, and tell which are not', async () => {
    const play = { action: 'play', params: { audio_id: audios['found'] } }
    const wrong: [action: unknown, told: { action: string; problem: string }][] = [
      [{ action: 'dance' }, { action: 'dance', problem: 'actions.0.action must be one of' }],
      [7, { action: '', problem: 'actions.1 must be of type object' }],
      [{ params: {} }, { action: '', problem: 'actions.2.action is required' }],
      [
        { action: 'tts', params: { text: 1 } },
        { action: 'tts', problem: 'text must be of type string' },
      ],
      [
        { action: 'tts', params: [] },
        { action: 'tts', problem: 'actions.4.params must be of type object' },
      ],
      [
        { action: 'tts', params: { text: 'x'.repeat(1_001) } },
        { action: 'tts', problem: 'actions.5.params.text must NOT have more than 1000' },
      ],
      [
        { action: 'tts', params: null },
        { action: 'tts', problem: 'actions.6.params.text is required' },
      ],
      [
        { action: 'play', params: { audio_id: 'au_x' } },
        { action: 'play', problem: 'audio_id is not an audio of this workspace' },
      ],
      [
        { ...play, continue: 'no' },
        { action: 'play', problem: 'actions.8.continue must be of type boolean' },
      ],
      [
        { action: 'connect_team', params: { team_id: 'te_x', strategy: 'loudest' } },
        { action: 'connect_team', problem: 'actions.9.params.strategy must be one of' },
      ],
      [
        { action: 'stream', params: { ws_url: 'ws://10.0.0.1/', headers: { Host: 'x' } } },
        { action: 'stream', problem: 'ws_url must lead to a public address' },
      ],
    ]
    const right = { ...play, '\ud800': 1, __proto__: null, params: { ...play.params, volume: 11 } }
    const answer = { id: 'mine', actions: [...wrong.map(([action]) => action), right] }
    const { dialog, from } = await calling(jca(server.on('/some', answering(answer))))
    await hearing(dialog, tones.found)
    await hearing(dialog, tones.completed)
    const { path, callbacks, timeline } = await over(from)
    expect(path).to.deep.equal(['ask:completed', 'on_completed:completed'])
    expect(callbacks[0]).to.include({ error: null, message: null })
    expect(callbacks[0]!['ignored']).to.deep.equal(['actions.11.\ufffd', 'actions.11.params.volume'])
    const actions = timeline.filter(({ event }) => event === 'call.action').map(({ details }) => details!)
    expect(actions).to.have.length(wrong.length + 1)
    for (const [index, [, { action, problem }]] of wrong.entries()) {
      expect(actions[index], problem).to.include({ action, outcome: 'failed' })
      expect(actions[index]!['problem'], problem).to.include(problem)
    }
    expect(actions.at(-1)).to.deep.equal({ action: 'play', outcome: 'completed' })
  })

  it('reach the voicemail behind an agent who was deleted', async () => {
    const agent_id = (await succeed(bench.api.post('/agents', agentInput()))).id as string
    expect((await bench.api.delete(`/agents/${agent_id}`)).status).to.equal(200)
    const voicemail = { action: 'voicemail', params: { greeting_audio_id: audios['found'], max_duration: 1 } }
    const actions = [{ action: 'connect_agent', params: { agent_id } }, voicemail]
    const { dialog, from } = await calling(jca(server.on('/leaver', answering({ actions }))))
    await hearing(dialog, tones.found)
    await hearing(dialog, tones.completed)
    const { timeline } = await over(from)
    const [connect, message] = timeline.filter(({ event }) => event === 'call.action')
    expect(connect!.details).to.deep.equal({
      ...{ action: 'connect_agent', outcome: 'failed' },
      problem: 'agent_id is not an agent of this workspace',
    })
    expect(message!.details).to.include({ action: 'voicemail', outcome: 'completed' })
  })

  /** A telephone at a carrier of its own, and the workspace's number that calls go out with to it. */
  async function farEnd(): Promise<{ phone: Telephone; from: string }> {
    const phone = await bench.caller({ username: 'far', host: '127.0.0.1', toneHz: 900 })
    const national = `20255502${String(10 + ++numbers)}`
    await bench.bench.connectNumber(national, [
      { uri: '127.0.0.1', port: phone.port, protocol: 'udp', priority: 1 },
    ])
    return { phone, from: `+1${national}` }
  }

  const displayNameOf = ({ received }: PhoneDialog) =>
    /^From: *"(.*)" *</m.exec(received.find((text) => text.startsWith('INVITE')) ?? '')?.[1]

  it('show the name at the far end, decide by the contact, and hand on what was answered', async () => {
    const far = await farEnd()
    const written =
      '{ "fullName": "Zoë \\"Z\\" O\'Brien", "title": "x",\r\n "tier": {"of": "gold"}, "id": 12345678901234567890,\n "path": "C:\\\\temp\\n\'${x}\'" }'
    const kept = written.replace(/[\r\n]+/g, ' ')
    const lookupUrl = server.on('/contact', writing(written))
    const actions = [
      { action: 'play', params: { audio_id: audios['found'] } },
      { action: 'to_operator', params: { phone_number: '+12025550100', from: far.from } },
    ]
    const jcaUrl = server.on('/actions', answering({ actions, version: 1 }))
    const conditions = [{ subject: 'contact.tier.of', operator: 'equals', value: 'gold' }]
    const { dialog, from } = await calling([
      {
        ...{ id: 'who', type: 'contact_lookup', next: { found: 'gold' } },
        params: { url: lookupUrl.replace('//', '//zoe:pass@'), headers: { 'X-Api-Key': 'k_1' } },
      },
      { id: 'gold', type: 'condition', params: { conditions }, next: { true: 'what' } },
      {
        ...{ id: 'what', type: 'json_call_action', next: edges('completed') },
        params: { url: jcaUrl, headers: { 'X-Api-Key': 'k_2' } },
      },
      sounds('completed'),
    ])
    await hearing(dialog, tones.found)
    await hearing(dialog, 900)
    const [called] = far.phone.incoming
    expect(displayNameOf(called!)).to.equal("Zoë ”Z” O'Brien")
    const id = await callOf(from)
    expect(await variableOf(id, 'platform_contact_data')).to.equal(kept)
    expect(await variableOf(id, 'effective_caller_id_name')).to.equal("Zoë ”Z” O'Brien")
    await called!.hangUp()
    await hearing(dialog, tones.completed)
    const { path, timeline } = await over(from)
    expect(path).to.deep.equal(['who:found', 'gold:true', 'what:completed', 'on_completed:completed'])
    const steps = timeline.flatMap(({ event, details }) =>
      event === 'call.action' ? [`${String(details!['action'])}:${String(details!['outcome'])}`] : [],
    )
    expect(steps).to.deep.equal(['play:completed', 'to_operator:completed'])
    const common = { call_id: id, workspace_id: bench.bench.workspace.id, caller_number: from }
    const call_flow_id = (await bench.api.get(`/calls/${id}`)).body.call_flow_id
    const asked = { ...common, call_flow_id, destination_number: bench.number }
    const [who] = server.at('/contact')
    expect(who!.body).to.deep.equal({ ...asked, event: 'call_flow.contact_lookup' })
    expect(who!.headers).to.include({
      'x-api-key': 'k_1',
      authorization: `Basic ${Buffer.from('zoe:pass').toString('base64')}`,
    })
    const [what] = server.at('/actions')
    expect(what!.headers).to.include({ 'x-api-key': 'k_2' })
    expect(what!.body).to.deep.equal({ ...asked, event: 'call_flow.jca', contact_data: kept })
    expect(what!.headers['jackfield-signature']).to.match(/^t=\d+,v1=[0-9a-f]{64}$/)
  })

  it('know callers from the contacts of the workspace, and strangers as such', async () => {
    const far = await farEnd()
    const known = caller(++calls)
    const contact = { name: 'Ada <Lovelace>', numbers: [known], custom_fields: { tier: 'gold' } }
    await bench.api.post('/contacts', { ...contact, name: 'An older one' })
    const { body } = await bench.api.post('/contacts', contact)
    await bench.runs([
      { id: 'ask', type: 'contact_lookup', next: { found: 'out', not_found: 'on_not_found' } },
      { id: 'out', type: 'to_operator', params: { phone_number: '+12025550100', from: far.from } },
      sounds('not_found'),
    ])
    const dialog = (await bench.caller({ username: known })).call(bench.number)
    await hearing(dialog, 900)
    expect(displayNameOf(far.phone.incoming[0]!)).to.equal('Ada  Lovelace')
    const data = await variableOf(await callOf(known), 'platform_contact_data')
    expect(JSON.parse(data)).to.deep.equal(body)
    await dialog.hangUp()
    expect((await over(known)).callbacks).to.deep.equal([])
    const stranger = (await bench.caller({ username: 'anonymous' })).call(bench.number)
    await hearing(stranger, tones.not_found)
  })

  it('find nobody where the server says so', async () => {
    for (const [index, behaviour] of [answering({}), answering({ error: 'nobody' }, 404)].entries()) {
      const { dialog, from } = await calling(lookup(server.on(`/nobody${index}`, behaviour)))
      await hearing(dialog, tones.not_found)
      const { callbacks } = await over(from)
      expect(callbacks[0]).to.include({ error: null, message: null, status: index === 0 ? 200 : 404 })
    }
  })

  it('may be answered with no actions at all', async () => {
    const { dialog } = await calling(jca(server.on('/nothing', answering({ actions: [] }))))
    await hearing(dialog, tones.completed)
  })

  it('end nothing but the call when the caller hangs up meanwhile', async () => {
    const { dialog, from } = await calling(lookup(server.on('/late', misbehaviours.hangs)))
    await eventually(
      async () => server.at('/late'),
      (asked) => asked.length === 1,
    )
    dialog.phone.cancel(dialog)
    await dialog.answered()
    const record = await bench.bench.ended(await callOf(from))
    expect(record).to.include({ status: 'canceled', hangup_cause: 'ORIGINATOR_CANCEL' })
    const { timeline } = await eventually(
      async () => over(from),
      ({ callbacks }) => callbacks.length === 1,
    )
    expect(timeline.map(({ event }) => event).slice(0, 3)).to.deep.equal([
      ...['call.created', 'call.ringing', 'call.ended'],
    ])
    const failed = bench.bench.appliance.log
      .split('\n')
      .filter((line) => /program failed|node failed/.test(line))
    expect(failed.join('\n')).to.equal('')
  })

  it('are asked once for actions that a killed server had begun, and keep a contact of any length', async () => {
    const contact = { name: 'Long', note: 'x'.repeat(12_000), tier: 'gold' }
    const found = server.on('/large', answering(contact))
    const play = { action: 'play', params: { audio_id: audios['found'] } }
    const actions = server.on('/slow', answering({ actions: [play, play, play, play] }))
    const conditions = [{ subject: 'contact.tier', operator: 'equals', value: 'gold' }]
    const { dialog, from } = await calling([
      { id: 'who', type: 'contact_lookup', params: { url: found }, next: { found: 'what' } },
      { id: 'what', type: 'json_call_action', params: { url: actions }, next: { completed: 'gold' } },
      { id: 'gold', type: 'condition', params: { conditions }, next: { true: 'on_completed' } },
      sounds('completed'),
    ])
    await hearing(dialog, tones.found)
    const { appliance } = bench.bench
    await appliance.killServer()
    await appliance.startServer()
    await hearing(dialog, tones.completed)
    const { path, timeline } = await over(from)
    expect(path).to.deep.equal(['who:found', 'what:completed', 'gold:true', 'on_completed:completed'])
    expect(timeline.filter(({ event }) => event === 'call.action')).to.have.length(4)
    expect(server.at('/large')).to.have.length(1)
    expect(server.at('/slow')).to.have.length(1)
  })

  it('are answered by the server of the documentation', async () => {
    const [, code] = /```js\n([^]*?)```/.exec(await readFile(docs, 'utf8'))!
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-callbacks-'))
    const file = join(directory, 'callbacks.mjs')
    await writeFile(file, code!.replace('+12025550142', caller(calls + 1)))
    const { body } = await bench.api.post('/signing-secret/rotate')
    const port = await freePort()
    const env = { SIGNING_SECRET: body.secret as string, PORT: String(port) }
    const documented = await Child.start('node', [file], { env })
    const url = `http://127.0.0.2:${port}/`
    try {
      await eventually(
        async () =>
          fetch(url, { method: 'POST', body: '{}' }).then(
            ({ status }) => status,
            () => 0,
          ),
        (status) => status === 403,
      )
      const nodes = [
        { id: 'who', type: 'contact_lookup', params: { url }, next: { default: 'what' } },
        { id: 'what', type: 'json_call_action', params: { url }, next: edges('completed') },
        sounds('completed'),
      ]
      const zoe = await calling(nodes)
      await hearing(zoe.dialog, 1000)
      await zoe.dialog.hangUp()
      const stranger = await calling(nodes)
      await hearing(stranger.dialog, tones.completed)
      const { path, callbacks } = await over(stranger.from)
      expect(path.slice(0, 2)).to.deep.equal(['who:not_found', 'what:completed'])
      expect(callbacks.map(({ error, status }) => ({ error, status }))).to.deep.equal([
        { error: null, status: 200 },
        { error: null, status: 200 },
      ])
    } finally {
      await documented.stop()
      await rm(directory, { recursive: true })
    }
  })

  /** A variable of the caller's channel, as the switch has it. */
  async function variableOf(callId: string, name: string): Promise<string> {
    const rows = await query(
      bench.bench.appliance,
      'SELECT channel_id FROM call_legs WHERE call_id = ? AND role = ?',
      [...[callId, 'caller']],
    )
    const { host, port, password } = bench.bench.appliance.freeswitch!
    const link = new SwitchLink({ host, port, password }, pino({ level: 'silent' }))
    link.start()
    try {
      await once(link, 'up')
      return await link.api(`uuid_getvar ${String(rows[0].channel_id)} ${name}`)
    } finally {
      await link.stop()
    }
  }
})
