/** Two servers on one database: nothing is taken twice, and no limit is passed. */
import { expect } from 'chai'
import type { Answer, ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { agentInput, newAgent, newTeam, startUnlimited, succeed, teamInput } from './fixtures.js'

const maxAgents = 9
const maxTeams = 7

describe('agents and teams of two servers', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let otherPort: number
  let workspace: TestWorkspace
  before(async () => {
    appliance = await startUnlimited({
      JACKFIELD_LIMITS_AGENTS: String(maxAgents),
      JACKFIELD_LIMITS_TEAMS: String(maxTeams),
    })
    otherPort = await appliance.startAnotherServer()
  })
  after(async () => appliance?.stop())
  beforeEach(async () => {
    workspace = await appliance.workspace()
  })

  /** Sends ten requests at once, to either server by turns; returns their statuses in order. */
  const race = async (send: (client: ApiClient, index: number) => Promise<Answer>): Promise<number[]> => {
    const both = [workspace.api, workspace.api.with({ port: otherPort })]
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => send(both[index % 2]!, index)),
    )
    return answers.map(({ status }) => status).sort()
  }

  const statuses = (won: number, wins: number, lost: number) => [
    ...Array<number>(wins).fill(won),
    ...Array<number>(10 - wins).fill(lost),
  ]

  const told = async (action: string) =>
    (
      await query(appliance, 'SELECT 1 FROM audit_log WHERE workspace_id = ? AND action = ?', [
        workspace.id,
        action,
      ])
    ).length

  it('take a username once', async () => {
    const { username } = agentInput()
    const send = async (api: ApiClient) => api.post('/agents', { ...agentInput(), username })
    expect(await race(send)).to.deep.equal(statuses(201, 1, 409))
    expect(await told('agent.create')).to.equal(1)
  })

  it('take an e-mail once, however it is written', async () => {
    const spelled = ['me@example.com', 'ME@example.com', 'Me@Example.Com', 'me@EXAMPLE.com']
    const send = async (api: ApiClient, index: number) =>
      api.post('/agents', { ...agentInput(), email: spelled[index % spelled.length] })
    expect(await race(send)).to.deep.equal(statuses(201, 1, 409))
  })

  it('give one agent the username that several are changed to', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, async () => newAgent(workspace.api)))
    const send = async (api: ApiClient, index: number) =>
      api.patch(`/agents/${ids[index % 5]}`, { username: 'wanted' })
    const found = await race(send)
    // Who has it already may be given it again.
    expect(found.filter((status) => status === 409)).to.have.length.of.at.least(8)
    expect(found.every((status) => status === 200 || status === 409)).to.equal(true)
    const { data } = await succeed(workspace.api.get('/agents?search=wanted'))
    expect(data).to.have.length(1)
  })

  it('hold as many agents as they may, and one more when one has gone', async () => {
    for (let count = 0; count < maxAgents - 4; count++) await newAgent(workspace.api)
    const send = async (api: ApiClient) => api.post('/agents', agentInput())
    expect(await race(send)).to.deep.equal(statuses(201, 4, 403))
    const refused = await send(workspace.api)
    expect(refused.body.message).to.equal(`The workspace holds ${maxAgents} agents already`)
    const { data, meta } = await succeed(workspace.api.get('/agents'))
    expect(meta.total).to.equal(maxAgents)
    await succeed(workspace.api.delete(`/agents/${data[0].id}`))
    expect(await race(send)).to.deep.equal(statuses(201, 1, 403))
    expect(await told('agent.create')).to.equal(maxAgents + 1)
  })

  it('take a team’s name once', async () => {
    const send = async (api: ApiClient, index: number) =>
      api.post('/teams', { name: index % 3 ? 'Night shift' : 'NIGHT SHIFT' })
    expect(await race(send)).to.deep.equal(statuses(201, 1, 409))
  })

  it('hold as many teams as they may', async () => {
    for (let count = 0; count < maxTeams - 3; count++) await newTeam(workspace.api)
    const send = async (api: ApiClient) => api.post('/teams', teamInput())
    expect(await race(send)).to.deep.equal(statuses(201, 3, 403))
    expect((await succeed(workspace.api.get('/teams'))).meta.total).to.equal(maxTeams)
  })

  it('put an agent into a team once', async () => {
    const path = `/teams/${await newTeam(workspace.api)}/agents/${await newAgent(workspace.api)}`
    expect(await race(async (api) => api.put(path))).to.deep.equal(statuses(200, 10, 0))
    expect(await told('team_member.create')).to.equal(1)
  })
})
