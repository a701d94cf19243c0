/** The live board: what leaders, supervisors and keys see of calls that go on, and what they are told as it changes. */
import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { newId } from '../../src/infrastructure/database/ids.js'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { EventReader } from '../support/event-reader.js'
import { insertCall, insertInternalCall } from './call-center-fixtures.js'
import { query } from './database.js'
import {
  type Person,
  newActiveNumber,
  newAdmin,
  newPerson,
  newTeam,
  startUnlimited,
  succeed,
} from './fixtures.js'

interface LiveCall {
  call_id: string
  agents: { agent_id: string; state: string }[]
  waiting: { team_id: string; entered_at: string } | null
}

describe('the live board', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let ann: Person
  let leader: Person
  let supervisor: Person
  let stranger: Person
  let team: string
  let otherTeam: string
  const readers: EventReader[] = []

  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_STREAM_HEARTBEAT: '1' })
    workspace = await appliance.workspace()
    await newActiveNumber(appliance, workspace)
    ann = await newPerson(workspace)
    leader = await newPerson(workspace, 'leader')
    supervisor = await newPerson(workspace, 'supervisor')
    stranger = await newPerson(workspace, 'supervisor')
    team = await newTeam(workspace.api)
    otherTeam = await newTeam(workspace.api)
    for (const { id } of [ann, leader, supervisor])
      await succeed(workspace.api.put(`/teams/${team}/agents/${id}`))
    await succeed(workspace.api.put(`/teams/${otherTeam}/agents/${stranger.id}`))
  })
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close()
  })
  after(async () => appliance?.stop())

  async function open({ api }: Person): Promise<EventReader> {
    const reader = await EventReader.open(api)
    readers.push(reader)
    await reader.next('stream.opened')
    return reader
  }

  const boardOf = async ({ api }: Pick<Person, 'api'>) => succeed(api.get('/call-center/live'))
  const callsOf = async (person: Person): Promise<LiveCall[]> => (await boardOf(person)).calls as LiveCall[]
  const hangUp = async (id: string) => succeed(workspace.api.post(`/calls/${id}/hangup`))

  /** A call to an agent's softphone, who talks with somebody outside. */
  async function callTo({ id, username }: Person): Promise<string> {
    const operator = { phone_number: '+12025550100' }
    const input = { to: { number: username }, actions: [{ action: 'to_operator', params: operator }] }
    const { call_id } = (await succeed(workspace.api.post('/calls/make', input))).data
    await eventually(
      async () => succeed(workspace.api.get('/live')),
      ({ agents, calls }) =>
        calls.some(
          (call: LiveCall & { status: string }) => call.call_id === call_id && call.status === 'active',
        ) &&
        agents.some(
          (agent: { agent_id: string; state: string }) => agent.agent_id === id && agent.state === 'incall',
        ),
      { what: 'an agent who talks' },
    )
    return call_id as string
  }

  /** A call that waits for the team, whose only agent whom anything reaches has another one. */
  async function callThatWaits(): Promise<string> {
    const actions = [{ action: 'connect_team', params: { team_id: team, queue: {} } }]
    const input = { to: { number: '+12025550100' }, actions }
    return (await succeed(workspace.api.post('/calls/make', input))).data.call_id as string
  }

  /** What was last told of a call: what it is, or that it is gone. */
  async function told(reader: EventReader, callId: string, isIt: (call: LiveCall | null) => boolean) {
    const { data } = await reader.next(
      'live.calls',
      ({ calls, gone }: { calls: LiveCall[]; gone: string[] }) => {
        const call = calls.find(({ call_id }) => call_id === callId)
        return call ? isIt(call) : gone.includes(callId) && isIt(null)
      },
    )
    return (data.calls as LiveCall[]).find(({ call_id }) => call_id === callId)
  }

  it('shows leaders and supervisors their teams, with agents and calls, and nothing of others', async () => {
    const id = await callTo(ann)
    try {
      for (const person of [leader, supervisor]) {
        const board = await boardOf(person)
        expect(board.is_complete).to.equal(true)
        expect(
          board.teams.map((one: { id: string; agent_count: number }) => [one.id, one.agent_count]),
        ).to.deep.equal([[team, 3]])
        expect(board.agents).to.have.length(3)
        expect(board.agents.find(({ agent_id }: { agent_id: string }) => agent_id === ann.id)).to.include({
          ...{
            username: ann.username,
            role: 'member',
            state: 'incall',
            call_id: id,
            chosen_state: 'available',
          },
        })
        expect(board.agents.map(({ team_ids }: { team_ids: string[] }) => team_ids)).to.deep.equal([
          ...[[team], [team], [team]],
        ])
        expect(board.calls).to.have.length(1)
        expect(board.calls[0]).to.deep.include({
          ...{ call_id: id, direction: 'outbound', voice_agent_id: null, waiting: null, supervisors: [] },
          to: { number: ann.username, name: ann.username },
        })
        expect(board.calls[0].far_party, 'whom an agent talks to who joins').to.deep.equal(board.calls[0].to)
        expect(board.calls[0].agents[0].far_party, 'of the called agent').to.deep.equal(board.calls[0].from)
        const agents = [
          await succeed(workspace.api.get(`/agents/${ann.id}`)),
          (await succeed(person.api.get(`/call-center/teams/${team}/agents`))).data.find(
            (one: { id: string }) => one.id === ann.id,
          ),
        ]
        for (const agent of agents) expect(agent).to.include({ state: 'incall', is_ringing: false })
        expect(board.calls[0].agents[0]).to.include({
          ...{ agent_id: ann.id, username: ann.username, display_name: 'Jane Doe', state: 'talking' },
        })
      }
      expect(await callsOf(stranger)).to.deep.equal([])
      expect((await ann.api.get('/call-center/live')).status).to.equal(403)
    } finally {
      await hangUp(id)
    }
    await eventually(
      async () => callsOf(leader),
      (calls) => calls.length === 0,
      { what: 'a board without calls' },
    )
  })

  it('shows each agent of a call between two the other one', async () => {
    const named = { ...ann, display_name: 'Jane Doe' }
    const id = await insertInternalCall(appliance, workspace, [{ ...leader, display_name: 'Lea' }, named])
    try {
      const [{ agents }] = (await boardOf(supervisor)).calls
      expect(
        agents.map((one: { agent_id: string; far_party: object }) => [one.agent_id, one.far_party]),
      ).to.deep.equal([
        [leader.id, { number: ann.username, name: 'Jane Doe' }],
        [ann.id, { number: leader.username, name: 'Lea' }],
      ])
    } finally {
      await query(appliance, 'DELETE FROM calls WHERE id = ?', [id])
    }
  })

  it('shows keys the whole workspace, also what is of no team, and of no other workspace', async () => {
    const elsewhere = await appliance.workspace()
    const lone = await newPerson(workspace)
    const id = await callTo(lone)
    try {
      const board = await succeed(workspace.api.get('/live'))
      expect(board.teams.map((one: { id: string }) => one.id)).to.have.members([team, otherTeam])
      expect(board.agents.find(({ agent_id }: { agent_id: string }) => agent_id === lone.id)).to.deep.include(
        {
          team_ids: [],
        },
      )
      expect(board.calls.map(({ call_id }: LiveCall) => call_id)).to.deep.equal([id])
      expect(await callsOf(supervisor)).to.deep.equal([])
      const others = await succeed(elsewhere.api.get('/live'))
      expect(others).to.deep.include({ teams: [], agents: [], calls: [] })
    } finally {
      await hangUp(id)
    }
  })

  it('tells those who supervise of a call as it begins, waits and ends, and nobody else', async () => {
    const watching = await open(supervisor)
    const strangers = await open(stranger)
    const admins = await open(await newAdmin(workspace))
    const busy = await callTo(ann)
    const anns = await open(ann)
    const begun = await told(watching, busy, (call) => call !== null)
    expect(begun?.agents.map(({ agent_id }) => agent_id)).to.deep.equal([ann.id])
    const id = await callThatWaits()
    const waits = await told(watching, id, (call) => call?.waiting?.team_id === team)
    expect(waits).to.deep.equal((await callsOf(leader)).find(({ call_id }) => call_id === id))
    const queue = await succeed(supervisor.api.get(`/call-center/teams/${team}/queue`))
    expect(queue.data).to.have.length(1)
    expect(queue.data[0]).to.deep.include({
      call_id: id,
      position: 1,
      entered_at: waits!.waiting!.entered_at,
    })
    // A supervisor's role counts in each team (contract, Teams), until the workspace wants it otherwise.
    const queueStatus = async () => (await stranger.api.get(`/call-center/teams/${team}/queue`)).status
    expect(await queueStatus()).to.equal(200)
    await succeed(workspace.api.patch('/profile', { leaders_only_own_teams: true }))
    await eventually(queueStatus, (status) => status === 403)
    await succeed(workspace.api.patch('/profile', { leaders_only_own_teams: false }))
    for (const one of [id, busy]) {
      await hangUp(one)
      await told(watching, one, (call) => call === null)
    }
    expect(await told(admins, id, (call) => call?.waiting?.team_id === team)).to.deep.equal(waits)
    await told(admins, busy, (call) => call === null)
    for (const other of [strangers, anns]) expect(other.names).to.not.include('live.calls')
  })

  it('tells of the end of a call that began before anybody listened', async () => {
    const id = await callTo(ann)
    const watching = await open(supervisor)
    await hangUp(id)
    await told(watching, id, (call) => call === null)
  })

  it('reads the transcript of a call of one’s team, and of no other', async () => {
    const id = await insertCall(appliance, workspace, [{ agent_id: ann.id }])
    const session = newId('vse')
    for (const [index, [speaker, text]] of [
      ['voice_agent', 'Hello, what can I do for you?'],
      ['caller', 'I want to speak to somebody.'],
    ].entries()) {
      await query(
        appliance,
        `INSERT INTO call_dialogue (id, workspace_id, call_id, session_id, position, speaker, text, is_interrupted, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, 0, NOW(3))`,
        [newId('dia'), workspace.id, id, session, index + 1, speaker, text],
      )
    }
    const url = `/call-center/calls/${id}/transcript`
    const { data, meta } = await succeed(supervisor.api.get(url))
    expect(meta.total).to.equal(2)
    expect(data.map(({ speaker, text }: { speaker: string; text: string }) => [speaker, text])).to.deep.equal(
      [
        ['voice_agent', 'Hello, what can I do for you?'],
        ['caller', 'I want to speak to somebody.'],
      ],
    )
    expect((await succeed(ann.api.get(`${url}?limit=1&page=2`))).data).to.have.length(1)
    expect((await stranger.api.get(url)).status).to.equal(404)
  })

  it('shows a thousand calls at once', async () => {
    const now = new Date()
    const calls = Array.from({ length: 1_000 }, () => newId('call'))
    const insert = async (table: string, columns: string, rows: unknown[][]) =>
      query(
        appliance,
        `INSERT INTO ${table} (${columns}) VALUES ${rows.map((row) => `(${row.map(() => '?').join()})`).join()}`,
        rows.flat(),
      )
    await insert(
      'calls',
      'id, workspace_id, direction, status, from_number, from_name, to_number, to_name, max_duration, script, live, created_at, answered_at',
      calls.map((id) => [
        ...[id, workspace.id, 'inbound', 'active', '+12025550142', 'Zoe', '+12025550100', 'Sales'],
        ...[7200, '[]', 1, now, now],
      ]),
    )
    try {
      await insert(
        'call_legs',
        'id, call_id, workspace_id, channel_id, role, number, uri, fee_per_minute, agent_id, created_at, answered_at',
        calls.flatMap((id) =>
          [null, ann.id].map((agent) => [
            ...[
              newId('leg'),
              id,
              workspace.id,
              randomUUID(),
              agent ? 'destination' : 'caller',
              'jane',
              'sip:jane@somewhere',
            ],
            ...[0, agent, now, now],
          ]),
        ),
      )
      const board = await boardOf(supervisor)
      expect(board.calls.map(({ call_id }: LiveCall) => call_id)).to.deep.equal([...calls].sort())
      expect(board.calls.every(({ agents }: LiveCall) => agents[0]?.agent_id === ann.id)).to.equal(true)
      expect(await callsOf(stranger)).to.deep.equal([])
    } finally {
      await query(appliance, 'DELETE FROM calls WHERE id IN (?)', [calls])
    }
  })
})
