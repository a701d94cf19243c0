import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { EventReader } from '../support/event-reader.js'
import { query } from './database.js'
import {
  callFlow,
  clientToken,
  newActiveNumber,
  newPerson,
  newTeam,
  startUnlimited,
  succeed,
} from './fixtures.js'

describe('streams', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  const readers: EventReader[] = []

  before(async () => {
    appliance = await startUnlimited({
      ...{ JACKFIELD_STREAM_MAX_PER_PERSON: '5', JACKFIELD_STREAM_MAX_PER_AGENT: '7' },
      JACKFIELD_STREAM_MAX_CLIENTS: '8',
      JACKFIELD_STREAM_HEARTBEAT: '1',
      JACKFIELD_LOG_LEVEL: 'info',
    })
    workspace = await appliance.workspace()
    await newActiveNumber(appliance, workspace)
  })
  afterEach(async () => {
    for (const reader of readers.splice(0)) reader.close()
  })
  after(async () => appliance?.stop())

  async function open(...options: Parameters<typeof EventReader.open>): Promise<EventReader> {
    const reader = await EventReader.open(...options)
    readers.push(reader)
    return reader
  }

  const refusal = async (...options: Parameters<typeof EventReader.open>) =>
    open(...options).then(
      () => 'not refused',
      (error: unknown) => String(error),
    )

  const client = (sub: string, claims: object = {}, from = workspace) =>
    from.api.with({ authorization: `Bearer ${clientToken(from, { sub, ...claims })}` })

  /** Makes an agent one end of a call that is answered, and which nothing ends. */
  async function callOf(agent: { id: string }): Promise<string> {
    const actions = [{ action: 'tts', params: { text: 'One moment. '.repeat(200) } }]
    const input = { to: { number: '+12025550100' }, actions }
    const { call_id: id } = (await succeed(workspace.api.post('/calls/make', input))).data
    await eventually(
      async () => succeed(workspace.api.get(`/calls/${id}`)),
      ({ status }) => status === 'started',
    )
    await query(appliance, 'UPDATE call_legs SET agent_id = ? WHERE call_id = ?', [agent.id, id])
    return id
  }
  const hangUp = async (id: string) => succeed(workspace.api.post(`/calls/${id}/hangup`))

  it('open for agents and clients, by header and by query, and the log never shows the token', async () => {
    const agent = await newPerson(workspace)
    for (const api of [agent.api, client('user-1')]) {
      for (const inQuery of [false, true]) {
        const reader = await open(api, { inQuery })
        expect(reader.response.headers).to.include({
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store, no-transform',
        })
        const opened = await reader.next('stream.opened')
        expect(opened.data).to.include({ event: 'stream.opened', resumed: false, heartbeat: 1 })
        expect(opened.id).to.match(/^evt_/)
        expect(reader.retryMs).to.be.within(1_000, 4_000)
      }
    }
    expect(appliance.log).to.include('/api/v1/stream')
    expect(appliance.log).not.to.include(agent.api.authorization!.slice('Bearer '.length))
    const wrong = agent.api.with({ authorization: 'Bearer x.y.z' })
    expect(await refusal(wrong, { inQuery: true })).to.include('401')
    expect(await refusal(agent.api.with({ authorization: workspace.api.authorization }))).to.include('401')
    const other = await appliance.workspace()
    expect(await refusal(other.api.with({ authorization: agent.api.authorization }))).to.include('401')
  })

  it('tell the course of a call to those in it and those who lead their teams, without what it costs', async () => {
    const [agent, supervisor, leader, mate, stranger] = [
      await newPerson(workspace),
      await newPerson(workspace, 'supervisor'),
      await newPerson(workspace, 'leader'),
      await newPerson(workspace),
      await newPerson(workspace, 'supervisor'),
    ]
    const team = await newTeam(workspace.api)
    for (const { id } of [agent, supervisor, leader, mate]) {
      await succeed(workspace.api.put(`/teams/${team}/agents/${id}`))
    }
    const told = [await open(agent.api), await open(supervisor.api), await open(leader.api)]
    const others = [await open(mate.api), await open(stranger.api), await open(client('user-1'))]
    const id = await callOf(agent)
    await hangUp(id)
    for (const reader of told) {
      const { data, id: eventId } = await reader.next('call.ended', ({ call_id }) => call_id === id)
      expect(data).to.include({ event: 'call.ended', direction: 'outbound', status: 'completed' })
      expect(data.to.number).to.equal('+12025550100')
      expect(new Date(data.timestamp).toISOString()).to.equal(data.timestamp)
      expect(data).not.to.have.property('cost')
      const { data: timeline } = await succeed(workspace.api.get(`/calls/${id}/events?limit=100`))
      expect(timeline.map((entry: { id: string }) => entry.id)).to.include(eventId)
    }
    // The heartbeat follows whatever was sent before it.
    await Promise.all(others.map(async (reader) => heartbeat(reader)))
    expect(others.map(callEvents)).to.deep.equal([[], [], []])
  })

  it('of one call tell those who may know of it', async () => {
    const [agent, supervisor, stranger] = [
      await newPerson(workspace),
      await newPerson(workspace, 'supervisor'),
      await newPerson(workspace, 'supervisor'),
    ]
    const team = await newTeam(workspace.api)
    for (const { id } of [agent, supervisor]) await succeed(workspace.api.put(`/teams/${team}/agents/${id}`))
    const [id, other] = [await callOf(agent), await callOf(agent)]
    const reader = await open(supervisor.api, { callId: id })
    await hangUp(other)
    await hangUp(id)
    await reader.next('call.ended')
    expect(reader.events.map(({ data }) => data.call_id)).not.to.include(other)
    expect(await refusal(stranger.api, { callId: id })).to.include('403')
    expect(await refusal(client('user-1'), { callId: id })).to.include('404')
    expect(await refusal(agent.api, { callId: 'call_unknown' })).to.include('404')
    const elsewhere = await appliance.workspace()
    const foreign = await newPerson(elsewhere, 'supervisor')
    expect(await refusal(foreign.api, { callId: id })).to.include('404')
  })

  it('of one call tell agents what its program does, and everybody of its recordings', async () => {
    await succeed(appliance.operator.patch(`/workspaces/${workspace.id}`, { call_recording: true }))
    const agent = await newPerson(workspace)
    const id = await callOf(agent)
    const [reader, general] = [await open(agent.api, { callId: id }), await open(agent.api)]
    const actions = [
      { action: 'recording' },
      { action: 'tts', params: { text: 'Not that short, so that somebody may join.' } },
      { action: 'tts', params: { text: 'Short.' } },
      { action: 'hangup' },
    ]
    await succeed(workspace.api.put(`/calls/${id}/actions`, { actions }))
    await eventually(
      async () => reader.names,
      (names) => names.includes('recording.started'),
    )
    const late = await open(agent.api, { callId: id })
    const ready = await reader.next('recording.ready')
    const started = await reader.next('recording.started')
    expect(started.data).to.include({ call_id: id, kind: 'call' })
    expect(late.names).to.include('recording.started')
    expect((await late.next('recording.started')).data.recording_id).to.equal(started.data.recording_id)
    expect(ready.data.recording_id).to.equal(started.data.recording_id)
    const isPlayed = (data: Record<string, string>) =>
      data['action'] === 'tts' && data['outcome'] === 'completed'
    expect((await reader.next('call.action', isPlayed)).data.call_id).to.equal(id)
    const families = reader.names.filter((name) => name.startsWith('recording.'))
    expect(families).to.deep.equal(['recording.started', 'recording.completed', 'recording.ready'])
    await heartbeat(general)
    expect(callEvents(general)).to.deep.equal(['call.ended'])
  })

  it('tell a user of an app of the calls that it makes, and nobody else of them', async () => {
    const flow = await succeed(
      workspace.api.post('/call-flows', { ...callFlow, title: 'Out', trigger_type: 'outbound' }),
    )
    const [caller, other] = ['caller-1', 'caller-2'].map((sub) => client(sub, { call_flow_id: flow.id }))
    const [reader, others] = [await open(caller!), await open(other!)]
    const input = { to: 'support', from: '', type: 'audio' }
    const { call_id } = await succeed(caller!.post('/call-center/calls/make', input))
    expect((await reader.next('call.created')).data.call_id).to.equal(call_id)
    const watching = await open(caller!, { callId: call_id })
    expect(await refusal(other!, { callId: call_id })).to.include('404')
    await hangUp(call_id)
    for (const one of [reader, watching]) await one.next('call.ended')
    await heartbeat(others)
    expect(callEvents(others)).to.deep.equal([])
  })

  it('go on after the last event that a reader has got, and say where that is not known', async () => {
    const agent = await newPerson(workspace)
    const reader = await open(agent.api)
    const first = await callOf(agent)
    await hangUp(first)
    await reader.next('call.ended')
    const last = reader.lastEventId
    reader.close()
    const second = await callOf(agent)
    await hangUp(second)
    const other = await open(agent.api)
    await other.next('stream.opened')
    const back = await open(agent.api, { lastEventId: last })
    expect((await back.next('stream.opened')).data.resumed).to.equal(true)
    await back.next('call.ended', ({ call_id }) => call_id === second)
    expect(callEvents(back)).to.deep.equal(['call.ended'])
    const lost = await open(agent.api, { lastEventId: 'evt_of_another_time' })
    expect((await lost.next('stream.opened')).data.resumed).to.equal(false)
    const { id: from } = await lost.next('stream.reset')
    const again = await open(agent.api, { lastEventId: from! })
    expect((await again.next('stream.opened')).data.resumed).to.equal(true)
  })

  it('send heartbeats, which move the last event id past events of others', async () => {
    const [agent, other] = [await newPerson(workspace), await newPerson(workspace)]
    const [reader, others] = [await open(agent.api), await open(other.api)]
    await hangUp(await callOf(other))
    await others.next('call.ended')
    await eventually(
      async () => reader.lastEventId === others.lastEventId,
      (isSame) => isSame,
    )
    expect(callEvents(reader)).to.deep.equal([])
  })

  it('are as many as agents and clients each may have, and as many about one call; one that closes makes room', async () => {
    const agent = await newPerson(workspace)
    const id = await callOf(agent)
    const held = [await open(agent.api)]
    for (let one = 1; one < 7; one++) held.push(await open(agent.api))
    expect(await refusal(agent.api)).to.match(/403.*7 streams are open already/)
    for (let one = 0; one < 7; one++) await open(agent.api, { callId: id })
    expect(await refusal(agent.api, { callId: id })).to.include('403')
    held[0]!.close()
    await eventually(
      async () => refusal(agent.api),
      (outcome) => outcome === 'not refused',
    )
    await hangUp(id)
    for (let one = 0; one < 5; one++) await open(client('five-streams'))
    expect(await refusal(client('five-streams'))).to.match(/403.*5 streams are open already/)
  })

  it('of clients are as many as a workspace may have', async () => {
    const [first, second] = [await appliance.workspace(), await appliance.workspace()]
    for (let one = 0; one < 8; one++) await open(client(`user-${one}`, {}, first))
    expect(await refusal(client('one-more', {}, first))).to.match(/403.*8 streams open/)
    await open((await newPerson(first)).api)
    await open(client('user-1', {}, second))
  })

  it('end with their token', async () => {
    const exp = Math.floor(Date.now() / 1000) + 3
    const reader = await open(client('brief', { exp }))
    await reader.next('stream.opened')
    const { data } = await reader.next('stream.closed')
    expect(data.reason).to.equal('token_expired')
    expect(Date.now()).to.be.at.least(exp * 1000)
    await closed(reader)
  })

  it('end with the session of the agent', async () => {
    const agent = await newPerson(workspace)
    const reader = await open(agent.api)
    await reader.next('stream.opened')
    const { username, password, device_id } = agent
    await succeed(
      workspace.api.with({ authorization: undefined }).post('/auth/login', { username, password, device_id }),
    )
    expect((await reader.next('stream.closed')).data.reason).to.equal('session_ended')
    await closed(reader)
  })

  it('end when the agent is no longer active, or the key of a client’s token is gone', async () => {
    const agent = await newPerson(workspace)
    const rights = { scope: 'any', role: 'viewer', signs_clients: true }
    const key = await succeed(workspace.api.post('/api-keys', rights))
    const users = client('user-of-key', { iss: key.sid })
    const token = clientToken(workspace, { sub: 'user-of-key', iss: key.sid }, key.secret)
    const held = [await open(agent.api), await open(users.with({ authorization: `Bearer ${token}` }))]
    await query(appliance, 'UPDATE agents SET is_active = 0 WHERE id = ?', [agent.id])
    await succeed(workspace.api.delete(`/api-keys/${key.sid}`))
    const reasons = await Promise.all(held.map(async (reader) => eventuallyClosed(reader)))
    expect(reasons).to.deep.equal(['session_ended', 'session_ended'])
  }).timeout(90_000)

  it('end when the server stops, which waits for nobody', async () => {
    const agent = await newPerson(workspace)
    const [reader, stalled] = [await open(agent.api), await open(agent.api)]
    await reader.next('stream.opened')
    stalled.stall()
    const stopped = appliance.stopServer()
    expect((await reader.next('stream.closed')).data.reason).to.equal('server_stopping')
    await closed(reader)
    expect(await stopped).to.equal(0)
    await appliance.startServer()
  })
})

/** What a reader was told of calls; states of agents come when they come. */
function callEvents({ names }: EventReader): string[] {
  return names.filter((name) => name.startsWith('call.'))
}

async function heartbeat(reader: EventReader): Promise<void> {
  const { heartbeats } = reader
  await eventually(
    async () => reader.heartbeats,
    (count) => count > heartbeats + 1,
  )
}

async function closed(reader: EventReader): Promise<void> {
  await eventually(
    async () => reader.isClosed,
    (isClosed) => isClosed,
  )
}

async function eventuallyClosed(reader: EventReader): Promise<string> {
  await eventually(
    async () => reader.isClosed,
    (isClosed) => isClosed,
    { withinMs: 60_000 },
  )
  return (await reader.next('stream.closed')).data.reason
}
