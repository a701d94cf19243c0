import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import type { Answer } from '../support/api-client.js'
import { type Node, createFlow, createFlowWith, start } from './call-flow-input.js'
import { query } from './database.js'
import {
  callFlow,
  fieldsOf,
  newAgent,
  newAudio,
  newCallFlow,
  newExtension,
  newGateway,
  newNationalNumber,
  newNumber,
  newTeam,
  newVoiceAgent,
  numberInput,
  startUnlimited,
  succeed,
} from './fixtures.js'

/** A flow that goes through some nodes one after the other. */
function chained(nodes: Node[]): Node[] {
  const all = [{ id: 'start', type: 'start' }, ...nodes]
  return all.map((node, index) => ({
    ...node,
    next: index + 1 < all.length ? { default: all[index + 1]!.id } : {},
  }))
}

describe('call flows', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  let otherPort: number
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_LIMITS_CALL_FLOWS: '12' })
    otherPort = await appliance.startAnotherServer()
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
    api = workspace.api
  })
  after(async () => appliance?.stop())

  const create = async (nodes: unknown, changes: object = {}) => createFlow(api, nodes, changes)
  const createWith = async (type: string, params?: object, next?: Record<string, string>) =>
    createFlowWith(api, type, params, next)
  const problemsOf = (answer: Answer): string[] => {
    expect(answer.status, JSON.stringify(answer.body)).to.equal(400)
    return (answer.body.errors as { messages: string[] }[]).flatMap(({ messages }) => messages)
  }

  it('are kept as they were drawn', async () => {
    const made = await succeed(api.post('/call-flows', callFlow))
    expect(made).to.deep.include({ ...callFlow, workspace_id: workspace.id })
    expect(made.id).to.match(/^cf_/)
    expect(await succeed(api.get(`/call-flows/${made.id}`))).to.deep.equal(made)
    const bare = await succeed(create([{ id: 'a', type: 'start' }]))
    expect(bare.nodes).to.deep.equal([{ id: 'a', type: 'start', params: {}, next: {} }])
  })

  it('keep where their nodes are drawn', async () => {
    const position = { x: -120, y: 480 }
    const nodes = callFlow.nodes.map((node) => ({ ...node, position }))
    const { id } = await succeed(create(nodes))
    expect((await succeed(api.get(`/call-flows/${id}`))).nodes).to.deep.equal(nodes)
    const far = await create([{ ...nodes[0], position: { x: 0.5, y: 2_000_000 } }, nodes[1]])
    expect(fieldsOf(far)).to.have.members(['nodes.0.position.x', 'nodes.0.position.y'])
  })

  it('are as the documentation shows one', async () => {
    const page = await readFile(new URL('../../../../docs/calls/flows.md', import.meta.url), 'utf8')
    const [, example] = /-d '(\{.*?\})'\n/s.exec(page)!
    const made = await succeed(api.post('/call-flows', JSON.parse(example!)))
    expect(made.nodes).to.have.length(4)
  })

  it('are listed without their nodes, sorted, searched and by trigger', async () => {
    for (const [title, trigger_type] of [
      ['Night', 'inbound'],
      ['day', 'inbound'],
      ['Campaign', 'outbound'],
    ]) {
      await succeed(create(callFlow.nodes, { title, trigger_type }))
    }
    const titles = async (list: string): Promise<string[]> =>
      (await succeed(api.get(`/call-flows?${list}`))).data.map(({ title }: { title: string }) => title)
    expect(await titles('sort_field=title&sort_order=asc')).to.deep.equal(['Campaign', 'day', 'Night'])
    expect(await titles('')).to.deep.equal(['Campaign', 'day', 'Night'])
    expect(await titles('trigger_type=inbound')).to.deep.equal(['day', 'Night'])
    expect(await titles('search=IGHT')).to.deep.equal(['Night'])
    const { data } = await succeed(api.get('/call-flows'))
    expect(data[0]).to.have.all.keys(
      'id',
      'workspace_id',
      'title',
      'trigger_type',
      'dial_code',
      'phone_numbers',
      'has_draft',
      'created_at',
      'updated_at',
    )
  })

  it('have titles of 1 to 36 characters and up to 200 nodes', async () => {
    const chain = (length: number): Node[] =>
      Array.from({ length }, (_, index) => ({
        id: `n${index}`,
        type: index === 0 ? 'start' : 'voicemail',
        next: index < length - 1 ? { default: `n${index + 1}` } : {},
      }))
    expect((await create(chain(200), { title: 'é'.repeat(36) })).status).to.equal(201)
    expect(fieldsOf(await create(chain(201)))).to.deep.equal(['nodes'])
    expect(fieldsOf(await create([]))).to.deep.equal(['nodes'])
    for (const title of ['', 'x'.repeat(37), 'a\nb']) {
      expect(fieldsOf(await create(callFlow.nodes, { title }))).to.deep.equal(['title'])
    }
    expect(fieldsOf(await create(callFlow.nodes, { trigger_type: 'both' }))).to.deep.equal(['trigger_type'])
    for (const id of ['', 'x'.repeat(65), 'a b', 'a.b', 'é']) {
      expect(fieldsOf(await create([{ id, type: 'start' }]))).to.deep.equal(['nodes.0.id'])
    }
  })

  it('tell everything that is wrong at once', async () => {
    const answer = await create([
      start,
      { id: 'it', type: 'play', params: { audio_id: 'au_none' }, next: { busy: 'bye', default: 'gone' } },
      { id: 'it', type: 'start' },
      { id: 'alone', type: 'tts', params: { text: '', speed: 9, loud: true } },
      { id: 'odd', type: 'dance' },
      { id: 'split', type: 'split', params: { branches: [] }, next: { x: 'split' } },
    ])
    expect(fieldsOf(answer)).to.have.members([
      'nodes.1.params.audio_id',
      'nodes.1.next.busy',
      'nodes.1.next.default',
      'nodes.2.id',
      'nodes.2.type',
      'nodes.3',
      'nodes.3.params.text',
      'nodes.3.params.speed',
      'nodes.3.params.loud',
      'nodes.4.type',
      'nodes.4',
      'nodes.5.params.branches',
      'nodes.5.next.x',
      'nodes.5',
    ])
    for (const { field, messages } of answer.body.errors as { field: string; messages: string[] }[]) {
      for (const message of messages) expect(message.startsWith(field), message).to.equal(true)
    }
  })

  it('are refused with keys of prototypes, deep values and loops without input', async () => {
    const raw = async (nodes: string) =>
      api.request('POST', '/call-flows', {
        raw: { type: 'application/json', content: `{"title":"x","trigger_type":"inbound","nodes":${nodes}}` },
      })
    for (const polluted of ['"next":{"__proto__":"a"}', '"params":{"__proto__":{"x":1}}']) {
      expect((await raw(`[{"id":"a","type":"start",${polluted}}]`)).status, polluted).to.equal(400)
    }
    const deep = '['.repeat(2_000) + ']'.repeat(2_000)
    expect(fieldsOf(await raw(`[{"id":"a","type":"start","params":{"x":${deep}}}]`))).to.deep.equal([
      'nodes.0.params.x',
    ])
    const loop = await createWith('voicemail', {}, { default: 'start' })
    expect(problemsOf(loop)).to.deep.equal([
      'nodes.1.next.default closes a loop in which nothing waits for the caller: start → it → start',
    ])
  })

  it('tell a bounded number of problems', async () => {
    const next = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`o${index}`, 'gone']))
    const many = Array.from({ length: 200 }, (_, index) => ({ id: `n${index}`, type: 'voicemail', next }))
    const answer = await create(many)
    expect(fieldsOf(answer)).to.have.length(100)
  })

  it('change only in what is sent, and are checked again', async () => {
    const id = await newCallFlow(api)
    const made = await succeed(api.get(`/call-flows/${id}`))
    const changed = await succeed(
      api.patch(`/call-flows/${id}`, { title: 'Other', trigger_type: 'outbound' }),
    )
    expect(changed).to.deep.equal({
      ...made,
      title: 'Other',
      trigger_type: 'outbound',
      updated_at: changed.updated_at,
    })
    expect(fieldsOf(await api.patch(`/call-flows/${id}`, { nodes: [start] }))).to.deep.equal([
      'nodes.0.next.default',
    ])
    expect(await succeed(api.get(`/call-flows/${id}`))).to.deep.equal(changed)
  })

  it('hold audios and gateways in place, until they name them no more; all else may go', async () => {
    const audioId = await newAudio(api)
    const gatewayId = await newGateway(api)
    const { id: numberId, number } = await succeed(
      api.post('/phone-numbers/connect', await numberInput(api, newNationalNumber())),
    )
    const held: [string, Node][] = [
      [`/audios/${audioId}`, { id: 'a', type: 'play', params: { audio_id: audioId } }],
      [
        `/sip-trunks/gateways/${gatewayId}`,
        { id: 'b', type: 'to_operator', params: { phone_number: '+12025550100', gateway_id: gatewayId } },
      ],
      [
        `/phone-numbers/${numberId}`,
        { id: 'c', type: 'send_message', params: { from: `+${number}`, body: 'Hi' } },
      ],
    ]
    for (const [path, type, param, make] of [
      ['/agents', 'connect_agent', 'agent_id', newAgent],
      ['/teams', 'connect_team', 'team_id', newTeam],
      ['/voice-agents', 'connect_voice_agent', 'voice_agent_id', newVoiceAgent],
      ['/extensions', 'go_to_extension', 'extension_id', newExtension],
    ] as const) {
      const id = await make(api)
      held.push([`${path}/${id}`, { id: type, type, params: { [param]: id } }])
    }
    const nodes = chained(held.map(([, node]) => node))
    const flow = await succeed(create(nodes, { title: 'Holder' }))
    for (const [path] of held.slice(0, 2)) {
      const refused = await api.delete(path)
      expect(refused.status, path).to.equal(409)
      expect(refused.body.message, path).to.include('is used by the call flow Holder')
    }
    for (const [path] of held.slice(2)) await succeed(api.delete(path))
    const { valid, problems } = (await api.post('/call-flows/check', { nodes })).body
    expect({ valid, missing: problems.length }).to.deep.equal({ valid: false, missing: held.length - 2 })
    expect((await succeed(api.get(`/call-flows/${flow.id}`))).nodes).to.deep.equal(flow.nodes)
    // A new title holds on to all of it; new nodes let go of what they do not name.
    const flowPath = `/call-flows/${flow.id}`
    await succeed(api.patch(flowPath, { title: 'Renamed' }))
    expect((await api.delete(held[0]![0])).body.message).to.include('the call flow Renamed')
    await succeed(api.patch(flowPath, { nodes: chained([held[0]![1]]) }))
    expect((await api.delete(held[0]![0])).status).to.equal(409)
    await succeed(api.delete(held[1]![0]))
    await succeed(api.delete(flowPath))
    await succeed(api.delete(held[0]![0]))
  })

  it('may change their triggers all at once, more of them than there are connections to the database', async () => {
    const workspaces = await Promise.all(Array.from({ length: 3 }, async () => appliance.workspace()))
    const owners = workspaces.flatMap((one) => Array.from({ length: 10 }, () => one.api))
    const flows = await Promise.all(owners.map(async (owner) => ({ owner, id: await newCallFlow(owner) })))
    const changed = await Promise.all(
      flows.map(async ({ owner, id }) => owner.patch(`/call-flows/${id}`, { trigger_type: 'outbound' })),
    )
    for (const { status } of changed) expect(status).to.equal(200)
  })

  it('name nothing of another workspace', async () => {
    const foreign = await appliance.workspace()
    const audio_id = await newAudio(foreign.api)
    expect(problemsOf(await createWith('play', { audio_id }))).to.deep.equal([
      'nodes.1.params.audio_id is not an audio of this workspace',
    ])
    const { number } = await succeed(
      foreign.api.post('/phone-numbers/connect', await numberInput(foreign.api)),
    )
    expect(problemsOf(await createWith('send_message', { from: number, body: 'x' }))).to.deep.equal([
      'nodes.1.params.from is not a phone number of this workspace',
    ])
  })

  it('take the calls of numbers, when they are for inbound ones', async () => {
    const numberPath = `/phone-numbers/${await newNumber(api)}`
    const foreign = await appliance.workspace()
    const outbound = await succeed(create(callFlow.nodes, { trigger_type: 'outbound' }))
    for (const call_flow_id of ['cf_none', outbound.id, await newCallFlow(foreign.api)]) {
      expect(fieldsOf(await api.patch(numberPath, { call_flow_id }))).to.deep.equal(['call_flow_id'])
    }
    const flowPath = `/call-flows/${await newCallFlow(api)}`
    const { number } = await succeed(api.patch(numberPath, { call_flow_id: flowPath.split('/')[2] }))
    for (const refused of [
      await api.delete(flowPath),
      await api.patch(flowPath, { trigger_type: 'outbound' }),
    ]) {
      expect(refused.status).to.equal(409)
      expect(refused.body.message).to.include(number)
    }
    await succeed(api.patch(flowPath, { trigger_type: 'inbound', title: 'Still' }))
    await succeed(api.patch(numberPath, { call_flow_id: null }))
    await succeed(api.patch(flowPath, { trigger_type: 'outbound' }))
    await succeed(api.delete(flowPath))
  })

  it('never take the calls of a number for outbound ones, whoever is first', async () => {
    const numberPath = `/phone-numbers/${await newNumber(api)}`
    for (let round = 0; round < 8; round++) {
      const call_flow_id = await newCallFlow(api)
      const [assigned, turned] = await Promise.all([
        api.patch(numberPath, { call_flow_id }),
        api.with({ port: otherPort }).patch(`/call-flows/${call_flow_id}`, { trigger_type: 'outbound' }),
      ])
      expect([assigned.status, turned.status]).to.be.deep.oneOf([
        [200, 409],
        [400, 200],
      ])
      await succeed(api.patch(numberPath, { call_flow_id: null }))
      await succeed(api.delete(`/call-flows/${call_flow_id}`))
    }
  })

  it('never name what is deleted at the same moment', async () => {
    for (let round = 0; round < 8; round++) {
      const audio_id = await newAudio(api)
      const [made, deleted] = await Promise.all([
        createWith('play', { audio_id }),
        api.with({ port: otherPort }).delete(`/audios/${audio_id}`),
      ])
      expect([made.status, deleted.status]).to.be.deep.oneOf([
        [201, 409],
        [400, 200],
      ])
      if (made.status === 201) await succeed(api.delete(`/call-flows/${made.body.id}`))
    }
  })

  it('end at the limit of the workspace, also when two servers are asked at once', async () => {
    const both = [api, api.with({ port: otherPort })]
    const answers = await Promise.all(
      Array.from({ length: 16 }, async (_, i) => both[i % 2]!.post('/call-flows', callFlow)),
    )
    expect(answers.filter(({ status }) => status === 201)).to.have.length(12)
    expect(answers.filter(({ status }) => status === 403)).to.have.length(4)
    expect((await create(callFlow.nodes)).body.message).to.equal('The workspace holds 12 call flows already')
  })

  it('are told of in the audit log, and go with their workspace', async () => {
    const audio_id = await newAudio(api)
    const { id } = await succeed(createWith('play', { audio_id }))
    const entries = await query(appliance, 'SELECT action FROM audit_log WHERE target_id = ?', [id])
    expect(entries).to.deep.equal([{ action: 'call_flow.create' }])
    await succeed(appliance.operator.delete(`/workspaces/${workspace.id}`))
    for (const table of ['call_flows', 'call_flow_references', 'audios']) {
      const rows = await query(appliance, `SELECT * FROM ${table} WHERE workspace_id = ?`, [workspace.id])
      expect(rows, table).to.have.length(0)
    }
  })
})
