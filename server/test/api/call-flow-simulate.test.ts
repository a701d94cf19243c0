/** Trying flows: the path of a call that does not exist. */
import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { CustomerServer, answering } from '../support/customer-server.js'
import type { Node } from './call-flow-input.js'
import { query } from './database.js'
import {
  agentInput,
  contact,
  extensionInput,
  fieldsOf,
  newAudio,
  newTeam,
  startUnlimited,
  succeed,
} from './fixtures.js'

const bye: Node = { id: 'bye', type: 'hangup', params: { cause: 'USER_BUSY' } }

/** A menu of two keys, digits, hours, a condition, a split and a variable. */
const office: Node[] = [
  { id: 'start', type: 'start', next: { default: 'hours' } },
  {
    id: 'hours',
    type: 'business_hours',
    params: {
      time_zone: 'Europe/Berlin',
      hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
      holidays: [{ date: '2026-12-25', title: 'Christmas' }],
    },
    next: { open: 'menu', closed: 'note', holiday: 'bye' },
  },
  { id: 'note', type: 'set_variable', params: { name: 'why', value: '{{caller_number}} was late' } },
  {
    id: 'menu',
    type: 'menu',
    params: { text: 'Press one or two.', retries: 1 },
    next: { 1: 'digits', 2: 'chance', timeout: 'bye', default: 'note' },
  },
  { id: 'digits', type: 'ivr', params: { max_digits: 4 }, next: { completed: 'vip', timeout: 'menu' } },
  {
    id: 'vip',
    type: 'condition',
    params: { conditions: [{ subject: 'digits', operator: 'starts_with', value: '42' }] },
    next: { true: 'call', false: 'bye' },
  },
  {
    id: 'call',
    type: 'to_operator',
    params: { phone_number: '+12025550100' },
    next: { busy: 'bye', no_answer: 'menu' },
  },
  {
    id: 'chance',
    type: 'split',
    params: {
      branches: [
        { outcome: 'a', percent: 50 },
        { outcome: 'b', percent: 50 },
      ],
    },
    next: { a: 'note', b: 'bye' },
  },
  bye,
]

const friday = '2026-11-20T09:00:00Z'

/** The nodes of a path with their outcomes: `menu:1`. */
function walked({ path }: { path: { node_id: string; outcome: string | null }[] }): string {
  return path.map(({ node_id, outcome }) => (outcome === null ? node_id : `${node_id}:${outcome}`)).join(' ')
}

describe('trying a call flow', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: ApiClient
  let server: CustomerServer
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8' })
    workspace = await appliance.workspace()
    api = workspace.api
    server = await CustomerServer.start()
  })
  after(async () => {
    await server?.stop()
    await appliance?.stop()
  })

  const flowOf = async (nodes: Node[]): Promise<string> =>
    (await succeed(api.post('/call-flows', { title: 'Tried', trigger_type: 'inbound', nodes }))).id
  const attempt = async (id: string, body: object = {}) => api.post(`/call-flows/${id}/simulate`, body)
  /** Tries a flow of one node, each of whose outcomes ends it. */
  const tryNode = async (type: string, params: object, body: object = {}) => {
    const nodes = [
      { id: 'start', type: 'start', next: { default: 'it' } },
      { id: 'it', type, params },
    ]
    const tried = await succeed(attempt(await flowOf(nodes), body))
    return { ...tried, step: tried.path[1] }
  }

  describe('of an office', () => {
    let id: string
    before(async () => {
      id = await flowOf(office)
    })

    const paths: [what: string, body: object, path: string, ended: object][] = [
      [
        'takes the keys one prompt after the other',
        { time: friday, keys: ['1', '4242'] },
        'start:default hours:open menu:1 digits:completed vip:true call:completed',
        { reason: 'end_of_path', cause: 'NORMAL_CLEARING' },
      ],
      [
        'takes keys that were typed ahead',
        { time: friday, keys: ['14', '242'] },
        'start:default hours:open menu:1 digits:completed vip:true call:completed',
        { reason: 'end_of_path', cause: 'NORMAL_CLEARING' },
      ],
      [
        'takes what somebody else is said to do',
        { time: friday, keys: ['1', '42#'], outcomes: { call: 'busy' } },
        'start:default hours:open menu:1 digits:completed vip:true call:busy bye',
        { reason: 'hangup', cause: 'USER_BUSY' },
      ],
      [
        'says a menu again after a wrong key',
        { time: friday, keys: ['9', '1', '1#'] },
        'start:default hours:open menu:1 digits:completed vip:false bye',
        { reason: 'hangup', cause: 'USER_BUSY' },
      ],
      [
        'goes on when all keys were wrong',
        { time: friday, keys: ['9', '*'] },
        'start:default hours:open menu:invalid note:default',
        { reason: 'end_of_path', cause: 'NORMAL_CLEARING' },
      ],
      [
        'goes on when no key was pressed',
        { time: friday, keys: ['', null] },
        'start:default hours:open menu:timeout bye',
        { reason: 'hangup', cause: 'USER_BUSY' },
      ],
      [
        'has pressed nothing where no keys are given',
        { time: friday },
        'start:default hours:open menu:timeout bye',
        { reason: 'hangup', cause: 'USER_BUSY' },
      ],
      [
        'comes back to a node',
        { time: friday, keys: ['1', '4', '2'], seed: 2 },
        'start:default hours:open menu:1 digits:timeout menu:2 chance:b bye',
        { reason: 'hangup', cause: 'USER_BUSY' },
      ],
      [
        'is closed in the evening',
        { time: '2026-11-20T17:00:00+01:00' },
        'start:default hours:closed note:default',
        { reason: 'end_of_path', cause: 'NORMAL_CLEARING' },
      ],
      [
        'keeps holidays',
        { time: '2026-12-24T23:00:00Z' },
        'start:default hours:holiday bye',
        { reason: 'hangup', cause: 'USER_BUSY' },
      ],
      [
        'lets decisions be overruled',
        { time: friday, keys: ['2'], outcomes: { hours: 'open', chance: 'a' } },
        'start:default hours:open menu:2 chance:a note:default',
        { reason: 'end_of_path', cause: 'NORMAL_CLEARING' },
      ],
      [
        'ends a loop that would go on',
        { time: friday, outcomes: { menu: '1', digits: 'timeout' } },
        '',
        { reason: 'too_many_steps', cause: null },
      ],
    ]
    for (const [what, body, path, ended] of paths) {
      it(what, async () => {
        const tried = await succeed(attempt(id, body))
        if (path) expect(walked(tried)).to.equal(path)
        else expect(tried.path).to.have.length(500)
        expect(tried.ended).to.deep.equal(ended)
      })
    }

    it('tells what the call was, and what each node found', async () => {
      const tried = await succeed(attempt(id, { time: friday, keys: ['9', '1', '42#'], seed: 7 }))
      expect(tried).to.deep.include({
        caller_number: '+12025550100',
        called_number: '+12025550199',
        time: '2026-11-20T09:00:00.000Z',
        seed: 7,
        state: { digits: '42', variables: {}, contact: null, contact_name: null },
      })
      const [, hours, menu, digits, vip] = tried.path
      expect(hours.details).to.deep.include({ local_time: 'fri 2026-11-20 10:00' })
      expect(hours.details.hours).to.include({ from: '09:00', to: '17:00' })
      expect(menu).to.deep.equal({
        node_id: 'menu',
        type: 'menu',
        outcome: '1',
        next: 'digits',
        details: { text: 'Press one or two.', retries: 1, pressed: ['9', '1'] },
      })
      expect(digits.details).to.deep.equal({ max_digits: 4, digits: '42' })
      expect(vip.details.conditions[0]).to.include({ found: '42', holds: true })
    })

    it('gives variables what they hold', async () => {
      const body = { time: '2026-11-22T09:00:00Z', caller_number: '+4930123456' }
      const { state } = await succeed(attempt(id, body))
      expect(state.variables).to.deep.equal({ why: '+4930123456 was late' })
    })

    it('takes the same branch by the same seed, and by chance without', async () => {
      const body = { time: friday, keys: ['2'] }
      const first = await succeed(attempt(id, body))
      const again = await succeed(attempt(id, { ...body, seed: first.seed }))
      expect(again).to.deep.equal(first)
      const branches = new Set<string>()
      for (let seed = 0; seed < 20; seed++) {
        branches.add((await succeed(attempt(id, { ...body, seed }))).path[3].outcome)
      }
      expect([...branches].sort()).to.deep.equal(['a', 'b'])
    })

    const broken: [what: string, body: object, fields: string[]][] = [
      ['a caller that is none', { caller_number: '12' }, ['caller_number']],
      ['an anonymous number', { called_number: 'anonymous' }, ['called_number']],
      ['a time that is none', { time: 'tomorrow' }, ['time']],
      ['a leap second', { time: '2016-12-31T23:59:60Z' }, ['time']],
      ['letters for keys', { keys: ['1', 'A'] }, ['keys.1']],
      ['a list for a contact', { contact: [] }, ['contact']],
      ['an outcome of no node', { outcomes: { nobody: 'busy' } }, ['outcomes.nobody']],
      ['an outcome that a node has not', { outcomes: { call: 'eaten' } }, ['outcomes.call']],
      ['an outcome of an end', { outcomes: { bye: 'default' } }, ['outcomes.bye']],
      ['actions of a menu', { actions: { menu: [] } }, ['actions.menu']],
      ['a part of a seed', { seed: 0.5 }, ['seed']],
    ]
    for (const [what, body, fields] of broken) {
      it(`refuses ${what}`, async () => {
        expect(fieldsOf(await attempt(id, body))).to.deep.equal(fields)
      })
    }

    it('refuses a contact of too many levels', async () => {
      let deep = {}
      for (let level = 0; level < 70; level++) deep = { deep }
      expect(fieldsOf(await attempt(id, { contact: deep }))).to.deep.equal(['contact'])
    })
  })

  describe('calls things by their names', () => {
    it('audios', async () => {
      const audio_id = await newAudio(api)
      const { title } = await succeed(api.get(`/audios/${audio_id}`))
      const { step } = await tryNode('play', { audio_id })
      expect(step).to.deep.include({
        outcome: 'completed',
        details: { audio_id, names: { audio_id: title } },
      })
    })

    it('agents and teams, also where they are named inside', async () => {
      const agent = await succeed(api.post('/agents', agentInput()))
      const ring = await tryNode('connect_agent', { agent_id: agent.id })
      expect(ring.step.outcome).to.equal('completed')
      expect(ring.step.details.names).to.deep.equal({ agent_id: agent.display_name })
      const team_id = await newTeam(api)
      const team = await succeed(api.get(`/teams/${team_id}`))
      const audio_id = await newAudio(api)
      const { title } = await succeed(api.get(`/audios/${audio_id}`))
      const wait = await tryNode('connect_team', { team_id, queue: { music_audio_id: audio_id } })
      expect(wait.step.details.names).to.deep.equal({ team_id: team.name, 'queue.music_audio_id': title })
    })

    it('clients, who are reached, or offline where a trial says so', async () => {
      const ring = await tryNode('connect_client', { sub: 'zoe' })
      expect(ring.step).to.deep.include({ outcome: 'completed', details: { sub: 'zoe' } })
    })

    it('people who answer, or machines where a trial says so', async () => {
      const listen = await tryNode('machine_detection', { mode: 'detect' })
      expect(listen.step).to.deep.include({ outcome: 'human', details: { mode: 'detect' } })
    })

    it('extensions, named or dialled', async () => {
      const extension = await succeed(api.post('/extensions', await extensionInput(api)))
      const { id, extension_number, title, destination } = extension
      const shown = { id, extension_number, title, destination }
      const named = await tryNode('go_to_extension', { extension_id: id })
      expect(named.step.outcome).to.equal('completed')
      expect(named.step.details.extension).to.deep.equal(shown)
      const dial = await flowOf([
        { id: 'start', type: 'start', next: { default: 'ask' } },
        { id: 'ask', type: 'ivr', params: { max_digits: 6 }, next: { default: 'go' } },
        { id: 'go', type: 'go_to_extension' },
      ])
      const dialled = await succeed(attempt(dial, { keys: [extension_number] }))
      expect(dialled.path[2]).to.deep.include({ outcome: 'completed', details: { extension: shown } })
      const nowhere = await succeed(attempt(dial, { keys: ['99999'] }))
      expect(nowhere.path[2]).to.deep.include({ outcome: 'unknown', details: { digits: '99999' } })
    })

    it('phones that a number is written for', async () => {
      const input = await extensionInput(api)
      await succeed(api.post('/extensions', input))
      const { step } = await tryNode('to_operator', { phone_number: input.extension_number })
      expect(step.details.reaches).to.equal(input.title)
    })
  })

  describe('with a contact lookup', () => {
    it('finds the contacts of the workspace', async () => {
      const caller_number = '+12025550177'
      const made = await succeed(
        api.post('/contacts', { ...contact, name: 'Zoe B.', numbers: [caller_number] }),
      )
      const { step, state } = await tryNode('contact_lookup', {}, { caller_number })
      expect(step).to.deep.include({ outcome: 'found', details: { contact_name: 'Zoe B.' } })
      expect(state).to.deep.include({ contact_name: 'Zoe B.' })
      expect(state.contact).to.include({ id: made.id })
      const other = await tryNode('contact_lookup', {}, { caller_number: '+12025550178' })
      expect(other.step.outcome).to.equal('not_found')
      const nobody = await tryNode('contact_lookup', {}, { caller_number: 'anonymous' })
      expect(nobody.step.outcome).to.equal('not_found')
    })

    it('finds what is given', async () => {
      const given = { fullName: 'Ada', tier: 'gold' }
      const { step, state } = await tryNode('contact_lookup', {}, { contact: given })
      expect(step.outcome).to.equal('found')
      expect(state).to.deep.include({ contact: given, contact_name: 'Ada' })
    })

    const url = 'https://crm.example.com/lookup'
    const lookups: [what: string, params: object, body: object, outcome: string][] = [
      ['nobody, when nothing is given for a server', { url }, {}, 'not_found'],
      ['nobody, when that is given', {}, { contact: null }, 'not_found'],
      ['nobody in an empty object', { url }, { contact: {} }, 'not_found'],
      ['a contact that is too large to be one', { url }, { contact: { x: 'x'.repeat(20_000) } }, 'error'],
      [
        'an error, when that is given',
        { url },
        { contact: { name: 'A' }, outcomes: { it: 'error' } },
        'error',
      ],
    ]
    for (const [what, params, body, outcome] of lookups) {
      it(`finds ${what}`, async () => {
        const { step, state } = await tryNode('contact_lookup', params, body)
        expect(step.outcome).to.equal(outcome)
        expect(state).to.include({ contact: null, contact_name: null })
      })
    }
  })

  describe('of a caller for whom nothing is left', () => {
    const ends: [outcome: string, cause: string][] = [
      ['busy', 'USER_BUSY'],
      ['no_answer', 'NO_ANSWER'],
      ['offline', 'SUBSCRIBER_ABSENT'],
      ['failed', 'NORMAL_TEMPORARY_FAILURE'],
      ['unknown', 'NORMAL_CLEARING'],
      ['completed', 'NORMAL_CLEARING'],
    ]
    const calling = (before: Node, trigger_type = 'inbound') => ({
      ...{ title: 'Tried', trigger_type },
      nodes: [
        { id: 'start', type: 'start', next: { default: 'before' } },
        { ...before, id: 'before', next: { default: 'it' } },
        { id: 'it', type: 'go_to_extension', params: {} },
      ],
    })
    const endOf = async (flow: object, outcome: string) => {
      const { id } = await succeed(api.post('/call-flows', flow))
      return (await succeed(attempt(id, { outcomes: { it: outcome } }))).ended
    }
    for (const [outcome, cause] of ends) {
      it(`says why nobody was reached: ${outcome}`, async () => {
        const quiet = { id: '', type: 'recording', params: { answer_call: false } }
        expect(await endOf(calling(quiet), outcome)).to.deep.equal({ reason: 'end_of_path', cause })
      })
    }

    it('says nothing of it where the caller was answered', async () => {
      const cleared = { reason: 'end_of_path', cause: 'NORMAL_CLEARING' }
      const tts = { id: '', type: 'tts', params: { text: 'Hello' } }
      expect(await endOf(calling(tts), 'busy')).to.deep.equal(cleared)
      const quiet = { id: '', type: 'recording', params: { answer_call: false } }
      expect(await endOf(calling(quiet, 'outbound'), 'busy')).to.deep.equal(cleared)
      const detection = { id: '', type: 'machine_detection', params: {} }
      expect(await endOf(calling(detection), 'busy')).to.deep.equal(cleared)
    })
  })

  describe('with actions of a server', () => {
    const url = 'https://crm.example.com/actions'

    it('does them', async () => {
      const actions = [
        { action: 'tts', params: { text: 'Hello' } },
        { action: 'to_operator', params: { phone_number: '+12025550100' } },
      ]
      const { step, ended } = await tryNode('json_call_action', { url }, { actions: { it: actions } })
      expect(step.outcome).to.equal('completed')
      expect(step.details).to.deep.equal({
        url,
        actions: actions.map(({ action, params }) => ({ action, ...params })),
      })
      expect(ended).to.deep.equal({ reason: 'end_of_path', cause: 'NORMAL_CLEARING' })
    })

    it('ends the call with them', async () => {
      const actions = [{ action: 'disconnect', params: { cause: 'USER_BUSY' } }, { action: 'hangup' }]
      const { step, ended } = await tryNode('json_call_action', { url }, { actions: { it: actions } })
      expect(step.outcome).to.equal(null)
      expect(step.details.actions).to.have.length(1)
      expect(ended).to.deep.equal({ reason: 'hangup', cause: 'USER_BUSY' })
    })

    it('ends the call after the one that is not to go on', async () => {
      const actions = [{ action: 'tts', params: { text: 'Bye' }, continue: false }, { action: 'hangup' }]
      const { step, ended } = await tryNode('json_call_action', { url }, { actions: { it: actions } })
      expect(step.details.actions).to.deep.equal([{ action: 'tts', text: 'Bye' }])
      expect(ended).to.deep.equal({ reason: 'hangup', cause: 'NORMAL_CLEARING' })
    })

    it('passes over what a call would pass over', async () => {
      const actions = [
        { action: 'play', params: { audio_id: 'au_none' } },
        { action: 'tts', params: { text: 'Hi' } },
      ]
      const { step } = await tryNode('json_call_action', { url }, { actions: { it: actions } })
      expect(step.outcome).to.equal('completed')
      expect(step.details.actions).to.deep.equal([
        { action: 'play', outcome: 'failed', problem: 'audio_id is not an audio of this workspace' },
        { action: 'tts', text: 'Hi' },
      ])
    })

    it('has none where none are given', async () => {
      const { step } = await tryNode('json_call_action', { url })
      expect(step).to.deep.include({ outcome: 'completed', details: { url, actions: [] } })
    })
  })

  it('answers the caller for a stream, which calls no server', async () => {
    const { step } = await tryNode('stream', { ws_url: 'wss://example.com/s' })
    expect(step.outcome).to.equal('completed')
    const told = await tryNode('stream', { ws_url: 'wss://example.com/s' }, { outcomes: { it: 'failed' } })
    expect(told.step.outcome).to.equal('failed')
  })

  describe('of nodes that nothing keeps', () => {
    const tryNodes = async (nodes: Node[], request: object = {}) =>
      api.post('/call-flows/simulate', { trigger_type: 'inbound', nodes, ...request })

    it('goes the way that they would go as a flow', async () => {
      const request = { time: friday, keys: ['1', '4242'], seed: 7 }
      const kept = await succeed(attempt(await flowOf(office), request))
      const { total } = (await api.get('/call-flows')).body.meta
      expect(await succeed(tryNodes(office, request))).to.deep.equal(kept)
      expect((await api.get('/call-flows')).body.meta.total).to.equal(total)
    })

    it('begins with a caller who is answered where the call is outbound', async () => {
      const nodes: Node[] = [
        { id: 'start', type: 'start', next: { default: 'call' } },
        { id: 'call', type: 'to_operator', params: { phone_number: '+12025550100' } },
      ]
      const outcomes = { call: 'busy' }
      const causes = ['inbound', 'outbound'].map(
        async (trigger_type) =>
          (await succeed(tryNodes(nodes, { trigger_type, outcomes }))).ended.cause as string,
      )
      expect(await Promise.all(causes)).to.deep.equal(['USER_BUSY', 'NORMAL_CLEARING'])
    })

    it('is refused with all that is wrong with them', async () => {
      const refused = await tryNodes([
        { id: 'start', type: 'start', next: { default: 'nowhere' } },
        { id: 'alone', type: 'play', params: {} },
      ])
      expect(fieldsOf(refused)).to.have.members([
        'nodes.0.next.default',
        'nodes.1',
        'nodes.1.params.audio_id',
      ])
    })
  })

  it('goes the way of the documentation’s example', async () => {
    const page = await readFile(new URL('../../../../docs/calls/flows.md', import.meta.url), 'utf8')
    const bodies = [...page.matchAll(/-d '(\{.*?\})'$/gms)].map(([, json]) => JSON.parse(json!))
    expect(bodies).to.have.length(2)
    const [flow, body] = bodies
    const { id } = await succeed(api.post('/call-flows', flow))
    const tried = await succeed(attempt(id, body))
    const told = page
      .split('```text\n')[1]!
      .split('\n')
      .slice(1, 5)
      .map((line) => line.split(/ {2,}/))
    expect(tried.path.map((step: any) => [step.node_id, step.type, step.outcome ?? '-'])).to.deep.equal(
      told.map((cells) => cells.slice(0, 3)),
    )
    expect(tried.ended.reason).to.equal('hangup')
  })

  it('asks no server and makes no call', async () => {
    for (const path of ['/who', '/what', '/digits']) server.on(path, answering({ name: 'Ada', actions: [] }))
    const asking = await flowOf([
      { id: 'start', type: 'start', next: { default: 'who' } },
      { id: 'who', type: 'contact_lookup', params: { url: server.url('/who') }, next: { default: 'what' } },
      {
        id: 'what',
        type: 'json_call_action',
        params: { url: server.url('/what') },
        next: { default: 'digits' },
      },
      {
        id: 'digits',
        type: 'ivr',
        params: { webhook_url: server.url('/digits') },
        next: { default: 'call' },
      },
      { id: 'call', type: 'to_operator', params: { phone_number: '+12025550100' } },
    ])
    const { path } = await succeed(attempt(asking, { keys: ['1'] }))
    expect(path).to.have.length(5)
    expect(server.asked).to.deep.equal([])
    const calls = await query(appliance, 'SELECT id FROM calls WHERE workspace_id = ?', [workspace.id])
    expect(calls).to.deep.equal([])
  })
})
