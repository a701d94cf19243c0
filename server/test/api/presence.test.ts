/** States of agents are told on the streams of their colleagues, whatever changes them. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { EventReader } from '../support/event-reader.js'
import { newApnsToken } from '../support/push-bench.js'
import { type Person, newPerson, newTeam, startUnlimited, succeed } from './fixtures.js'

interface Told {
  agent_id: string
  state: string
  since: string | null
  call_id: string | null
}

describe('presence', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let watcher: Person
  let watching: EventReader
  let ann: Person
  const readers: EventReader[] = []

  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_STREAM_HEARTBEAT: '1' })
    workspace = await appliance.workspace()
    watcher = await newPerson(workspace, 'leader')
    watching = await open(watcher)
  })
  beforeEach(async () => {
    ann = await newPerson(workspace)
  })
  after(async () => {
    for (const reader of readers) reader?.close()
    await appliance?.stop()
  })

  async function open({ api }: Person): Promise<EventReader> {
    const reader = await EventReader.open(api)
    readers.push(reader)
    return reader
  }

  /** What was told of an agent, once there is so much. */
  async function toldOf({ id }: Person, count: number): Promise<Told[]> {
    const told = async () =>
      watching.events
        .filter(({ event, data }) => event === 'workspace.agent.state' && data.agent_id === id)
        .map(({ data }) => data as Told)
    return eventually(told, (all) => all.length >= count, { what: `${count} states`, withinMs: 15_000 })
  }
  const statesOf = async (person: Person, count: number) =>
    (await toldOf(person, count)).map(({ state }) => state)

  const shown = async ({ id }: Person) => (await succeed(workspace.api.get(`/agents/${id}`))).state as string

  it('is available while a stream is open, and offline with the last one', async () => {
    const since = Date.now()
    const [phone, browser] = [await open(ann), await open(ann)]
    const [told] = await toldOf(ann, 1)
    expect(told).to.include({
      ...{ event: 'workspace.agent.state', agent_id: ann.id, username: ann.username },
      ...{ display_name: 'Jane Doe', state: 'available', call_id: null },
    })
    expect(Date.parse(told!.since!)).to.be.within(since - 1_000, Date.now() + 1_000)
    const own = await succeed(ann.api.get('/me/state'))
    expect(own).to.include({ state: 'available', since: told!.since })
    phone.close()
    browser.close()
    expect(await statesOf(ann, 2)).to.deep.equal(['available', 'offline'])
    expect(await shown(ann)).to.equal('offline')
  })

  it('is offline when the connection of the last stream breaks', async () => {
    const lost = await open(ann)
    await toldOf(ann, 1)
    lost.response.socket.resetAndDestroy()
    expect(await statesOf(ann, 2)).to.deep.equal(['available', 'offline'])
  })

  it('is available with a VoIP push token, until it is unregistered', async () => {
    const device = { push_token: newApnsToken(), device_id: ann.device_id, platform: 'ios' }
    await succeed(ann.api.post('/me/devices/voip-push-token', device))
    await toldOf(ann, 1)
    // Streams come and go beside it.
    const beside = await open(ann)
    beside.close()
    await succeed(ann.api.delete(`/me/devices/${ann.device_id}`))
    expect(await statesOf(ann, 2)).to.deep.equal(['available', 'offline'])
  })

  it('is busy and offline when the agent chooses so, and when it is chosen for them', async () => {
    await open(ann)
    await toldOf(ann, 1)
    const team = await newTeam(workspace.api)
    for (const { id } of [ann, watcher]) await succeed(workspace.api.put(`/teams/${team}/agents/${id}`))
    const forced = `/call-center/teams/${team}/agents/${ann.username}/state`
    const busy = await succeed(ann.api.put('/me/state', { state: 'busy' }))
    expect(busy).to.include({ state: 'busy', chosen_state: 'busy' })
    await toldOf(ann, 2)
    expect(await succeed(watcher.api.put(forced, { state: 'offline' }))).to.include({ state: 'offline' })
    await toldOf(ann, 3)
    await succeed(watcher.api.put(forced, { state: 'available' }))
    expect(await statesOf(ann, 4)).to.deep.equal(['available', 'busy', 'offline', 'available'])
    const { data } = await succeed(watcher.api.get(`/call-center/teams/${team}/agents/states`))
    expect(data.find(({ agent_id }: Told) => agent_id === ann.id)).to.include({ state: 'available' })
  })

  it('says nothing while nothing changes, and nothing to other workspaces', async () => {
    const elsewhere = await appliance.workspace()
    const stranger = await open(await newPerson(elsewhere))
    await open(ann)
    await toldOf(ann, 1)
    await succeed(ann.api.put('/me/state', { state: 'available' }))
    await open(ann)
    // What comes after all that.
    await succeed(ann.api.put('/me/state', { state: 'busy' }))
    expect(await statesOf(ann, 2)).to.deep.equal(['available', 'busy'])
    expect(JSON.stringify(stranger.events)).to.not.contain(ann.id)
  })

  it('is derived anew by a server that was killed', async () => {
    await open(ann)
    await succeed(ann.api.put('/me/state', { state: 'busy' }))
    await appliance.killServer()
    await appliance.startServer()
    expect(await shown(ann)).to.equal('offline')
    watching = await open(watcher)
    await open(ann)
    const [told] = await toldOf(ann, 1)
    expect(told!.state).to.equal('busy')
  })
})
