/** States of agents come from what reaches them; lists are filtered by them all the same. */
import { expect } from 'chai'
import { AgentService } from '../../src/features/agents/agent.service.js'
import { Database } from '../../src/infrastructure/database/database.js'
import { entities } from '../../src/app/entities.js'
import type { AgentState, PresenceSource } from '../../src/features/agents/agent-state.js'
import type { ChosenState } from '../../src/features/presence/chosen-state.entity.js'
import { Presence } from '../../src/features/presence/presence.js'
import { SeenStates } from '../../src/features/presence/seen-states.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { newAgent, startUnlimited } from './fixtures.js'

type Unused = Omit<ConstructorParameters<typeof AgentService>[0], 'database' | 'presence'>
type Online = Awaited<ReturnType<PresenceSource['onlineIn']>>

const source = (...states: [string, Exclude<AgentState, 'offline'>][]): PresenceSource => ({
  onlineIn: async (): Promise<Online> => new Map(states.map(([id, state]) => [id, { state }])),
})

const presenceOf = (sources: PresenceSource[], chosen: ChosenState[] = []) =>
  new Presence(
    sources,
    { of: async () => new Map(chosen.map((one) => [one.agent_id, one])) },
    new SeenStates(),
  )

describe('states of agents', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let database: Database
  let ids: string[]
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    const { host, port, user, password } = appliance.mariadb
    const name = appliance.databaseName
    database = new Database({ host, port, socket: '', user, password, name, pool: 2 }, entities)
    await database.connect()
    ids = []
    for (let count = 0; count < 5; count++) ids.push(await newAgent(workspace.api))
  })
  after(async () => {
    await database?.close()
    await appliance?.stop()
  })

  const found = async (presence: Presence, state: AgentState, limit = 10, page = 1) => {
    // Lists need neither.
    const unused = { avatars: undefined, keptBytes: undefined, registrations: undefined, sessions: undefined }
    const agents = new AgentService(
      { database, presence, ...(unused as unknown as Unused) },
      { sipDomain: 'sip.localhost', limit: 10 },
    )
    const request = { page, limit, sort_field: 'created_at', sort_order: 'asc', state } as const
    const { rows, total } = await agents.list(workspace, request)
    return { total, indices: rows.map(({ id }) => ids.indexOf(id)) }
  }

  it('are offline while nothing reaches them', async () => {
    const stateOf = await presenceOf([]).of(workspace)
    expect(ids.map((id) => stateOf(id).state)).to.deep.equal(Array(5).fill('offline'))
  })

  it('are the strongest that a source tells: in a call, then busy, then available', async () => {
    const [a, b, c, d, e] = ids as [string, string, string, string, string]
    const presence = presenceOf([
      source([a, 'available'], [b, 'busy'], [c, 'incall']),
      source([a, 'busy'], [b, 'incall'], [c, 'available'], [d, 'available']),
    ])
    const stateOf = await presence.of(workspace)
    expect([a, b, c, d, e].map((id) => stateOf(id).state)).to.deep.equal([
      ...['busy', 'incall', 'incall', 'available', 'offline'],
    ])
    expect(await found(presence, 'incall')).to.deep.equal({ total: 2, indices: [1, 2] })
    expect(await found(presence, 'busy')).to.deep.equal({ total: 1, indices: [0] })
    expect(await found(presence, 'available')).to.deep.equal({ total: 1, indices: [3] })
    expect(await found(presence, 'offline')).to.deep.equal({ total: 1, indices: [4] })
  })

  it('leave pages whole when lists are filtered by them', async () => {
    const presence = presenceOf([source([ids[1]!, 'available'], ['ag_of_another_workspace', 'available'])])
    expect(await found(presence, 'offline', 2, 1)).to.deep.equal({ total: 4, indices: [0, 2] })
    expect(await found(presence, 'offline', 2, 2)).to.deep.equal({ total: 4, indices: [3, 4] })
    expect(await found(presence, 'available', 2, 1)).to.deep.equal({ total: 1, indices: [1] })
  })
})
