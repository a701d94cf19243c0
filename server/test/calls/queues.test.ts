/** Callers who wait for a team, on a real FreeSWITCH: their order, what they hear, and what they survive. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { query } from '../api/database.js'
import { eventually } from '../support/api-client.js'
import { multipart, wavFile } from '../support/audio-files.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { TeamBench, type Worker, hearing, rung } from '../support/team-bench.js'
import { type PhoneDialog, hears } from '../support/phone-dialog.js'

const musicHz = 1500
const annaHz = 600

interface Waiting {
  call_id: string
  caller: { number: string }
  position: number
  waiting: number
}

describe('queues of teams on the freeswitch', function () {
  this.timeout(90_000)
  let bench: TeamBench
  let anna: Worker
  let team: string
  let music: string
  /** Calls in which the only agent is kept busy. */
  let bridge: { caller: PhoneDialog; agent: PhoneDialog }

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await TeamBench.start()
    anna = await bench.worker('anna', annaHz)
    team = await bench.phones.team('Sales', [anna.agent])
    const audio = await bench.phones.api.request('POST', '/audios', {
      raw: multipart({ title: 'Music' }, { name: 'music.wav', content: wavFile(musicHz, 3) }),
    })
    music = audio.body.id as string
  })
  beforeEach(async () => {
    anna.phone.onCall = 'answer'
    await bench.inState(anna, 'available')
  })
  afterEach(async () => {
    for (const dialog of anna.phone.dialogs.values()) if (dialog.state === 'up') await dialog.hangUp()
  })
  after(async () => bench?.stop())

  const toQueue = async (queue: object = {}, params: object = {}) =>
    bench.leadsTo('connect_team', { team_id: team, queue, ...params })
  const waiting = async (): Promise<Waiting[]> =>
    (await bench.phones.api.get(`/teams/${team}/queue`)).body.data as Waiting[]
  const waitingAre = async (count: number): Promise<Waiting[]> =>
    eventually(waiting, (list) => list.length === count, { what: `${count} who wait` })
  /** A first caller has the agent, so that all others wait. */
  const occupy = async (): Promise<void> => {
    const before = anna.phone.incoming.length
    const caller = await bench.call()
    const agent = await rung(anna, before)
    await agent.up()
    expect(await caller.answered()).to.equal(200)
    await waitingAre(0)
    bridge = { caller, agent }
  }
  const queued = async (hz: number, count: number): Promise<PhoneDialog> => {
    const caller = await bench.call(hz)
    expect(await caller.answered()).to.equal(200)
    await waitingAre(count)
    return caller
  }

  it('are passed by while an agent is free: the caller hears ringback and is not answered before', async () => {
    await toQueue()
    anna.phone.onCall = 'ring'
    const before = anna.phone.incoming.length
    const caller = await bench.call()
    const annas = await rung(anna, before)
    await caller.heard(180)
    expect(caller.state).to.equal('ringing')
    anna.phone.accept(annas)
    expect(await caller.answered()).to.equal(200)
    await hearing(caller, annaHz, 'the caller hears anna')
    await caller.hangUp()
    const events = await bench.inbound.timeline((await bench.end()).record.call_id)
    expect(events.map(({ event }) => event)).not.to.include('call.queued')
  })

  it('serve three callers one after another, in the order in which they came', async () => {
    await toQueue({ music_audio_id: music })
    await occupy()
    const callers: PhoneDialog[] = []
    const tones = [700, 1000, 2000]
    for (const [index, hz] of tones.entries()) callers.push(await queued(hz, index + 1))
    const list = await waiting()
    expect(list.map(({ position }) => position)).to.deep.equal([1, 2, 3])
    expect(list[0]).to.have.nested.property('caller.number', '+12125550123')
    for (const caller of callers) await hearing(caller, musicHz, 'who waits hears the music')
    await bench.inState(anna, 'incall')
    let before = anna.phone.incoming.length
    await bridge.agent.hangUp()
    for (const [index, caller] of callers.entries()) {
      const annas = await rung(anna, before)
      before = anna.phone.incoming.length
      await annas.up()
      await hearing(annas, tones[index]!, `anna hears caller ${index + 1}`)
      await hearing(caller, annaHz, `caller ${index + 1} hears anna`)
      await eventually(
        async () => Promise.resolve(hears(caller, musicHz, 2_000)),
        (level) => level < 0.1,
        { what: 'music that has ended' },
      )
      const left = await waitingAre(2 - index)
      expect(left.map(({ position }) => position)).to.deep.equal([1, 2].slice(0, 2 - index))
      await annas.hangUp()
      await caller.over()
    }
    const { record, outcome } = await bench.end()
    expect(outcome).to.equal('to:completed')
    const events = await bench.inbound.timeline(record.call_id)
    expect(events.find(({ event }) => event === 'call.queued')?.details).to.deep.equal({
      ...{ team_id: team, position: 3 },
    })
  })

  it('play music of their own', async () => {
    await toQueue()
    await occupy()
    const caller = await queued(700, 1)
    await eventually(
      async () => Promise.resolve(loudness(caller)),
      (level) => level > 100,
      { what: 'music' },
    )
    await caller.hangUp()
    await waitingAre(0)
    await bridge.caller.hangUp()
  })

  it('tell callers their position by voice, and then play the music', async () => {
    await toQueue({ music_audio_id: music, announce_position: true })
    await occupy()
    const caller = await queued(700, 1)
    // What is said comes first: sound that is not the music.
    await eventually(
      async () => Promise.resolve([loudness(caller), hears(caller, musicHz, 4_000)] as const),
      ([level, share]) => level > 300 && share < 0.3,
      { what: 'voice' },
    )
    await hearing(caller, musicHz, 'the music that follows')
    await caller.hangUp()
    await bridge.caller.hangUp()
  })

  it('give up after their longest wait', async () => {
    await toQueue({ max_wait: 2 })
    await occupy()
    const caller = await queued(700, 1)
    await caller.over()
    expect((await bench.end()).outcome).to.equal('to:queue_timeout')
    await waitingAre(0)
    await bridge.caller.hangUp()
  })

  it('take no more callers than they may', async () => {
    await toQueue({ max_length: 1 })
    await occupy()
    const first = await queued(700, 1)
    const second = await bench.call()
    await second.over()
    expect((await bench.end()).outcome).to.equal('to:queue_full')
    await first.hangUp()
    await waitingAre(0)
    const third = await queued(700, 1)
    await third.hangUp()
    await bridge.caller.hangUp()
  })

  it('lose who hangs up, and move the others', async () => {
    await toQueue()
    await occupy()
    const first = await queued(700, 1)
    const second = await queued(1000, 2)
    const ids = (await waiting()).map(({ call_id }) => call_id)
    await first.hangUp()
    const [left] = await waitingAre(1)
    expect(left).to.include({ call_id: ids[1], position: 1 })
    const before = anna.phone.incoming.length
    await bridge.agent.hangUp()
    const annas = await rung(anna, before)
    await annas.up()
    await hearing(annas, 1000, 'anna hears the second')
    await second.hangUp()
  })

  it('lose whom other actions take away', async () => {
    await toQueue()
    await occupy()
    const caller = await queued(700, 1)
    const [{ call_id } = { call_id: '' }] = await waiting()
    const actions = [{ action: 'hangup', params: { cause: 'USER_BUSY' } }]
    expect((await bench.phones.api.put(`/calls/${call_id}/actions`, { actions })).status).to.equal(200)
    await caller.over()
    await waitingAre(0)
    await bridge.caller.hangUp()
  })

  it('offer a caller who rings in vain again, who hears the music meanwhile', async () => {
    await toQueue({ music_audio_id: music }, { timeout: 2 })
    await occupy()
    const caller = await queued(700, 1)
    anna.phone.onCall = 486
    const before = anna.phone.incoming.length
    await bridge.agent.hangUp()
    await rung(anna, before)
    anna.phone.onCall = 'answer'
    await hearing(caller, musicHz, 'music after a refusal')
    const annas = await rung(anna, before + 1)
    await annas.up()
    await hearing(caller, annaHz, 'the caller hears anna')
    await caller.hangUp()
  })

  it('are no way when nobody can be reached, and serve who registers while they wait', async () => {
    const ben = await bench.phones.agent('ben')
    const lonely = await bench.phones.team('Lonely', [ben])
    await bench.leadsTo('connect_team', { team_id: lonely, queue: {} })
    await (await bench.call()).over()
    expect((await bench.end()).outcome).to.equal('to:offline')
    await bench.phones.api.put(`/teams/${lonely}/agents/${anna.agent.id}`)
    anna.phone.onCall = 'answer'
    const first = await bench.call()
    expect(await first.answered()).to.equal(200)
    await bench.inState(anna, 'incall')
    const second = await bench.call(1000)
    expect(await second.answered()).to.equal(200)
    const phone = await bench.phones.phone(ben, { toneHz: 2000 })
    await hearing(second, 2000, 'who waits hears the agent who came')
    await second.hangUp()
    await first.hangUp()
    await phone.register(0)
  })

  it('are for administrators of the workspace to see', async () => {
    const { api } = await bench.inbound.bench.appliance.workspace()
    expect((await api.get(`/teams/${team}/queue`)).status).to.equal(404)
    expect(await waiting()).to.deep.equal([])
  })

  it('keep everybody at their place when the server is killed; the music goes on', async () => {
    await toQueue({ music_audio_id: music })
    await occupy()
    const tones = [700, 1000]
    const callers = [await queued(tones[0]!, 1), await queued(tones[1]!, 2)]
    const ids = (await waiting()).map(({ call_id }) => call_id)
    for (const id of ids) {
      await eventually(
        async () => bench.inbound.timeline(id),
        (events) => events.some(({ event }) => event === 'call.queued'),
        { what: 'timeline that tells of the queue' },
      )
    }
    await bench.inbound.bench.appliance.killServer()
    await bench.inbound.bench.appliance.startServer()
    expect((await waiting()).map(({ call_id }) => call_id)).to.deep.equal(ids)
    await sleep(1_000)
    for (const caller of callers) await hearing(caller, musicHz, 'music after the restart')
    await bench.inState(anna, 'incall')
    let before = anna.phone.incoming.length
    await bridge.agent.hangUp()
    for (const [index, caller] of callers.entries()) {
      const annas = await rung(anna, before)
      before = anna.phone.incoming.length
      await annas.up()
      await hearing(annas, tones[index]!, `anna hears caller ${index + 1}`)
      await hearing(caller, annaHz, `caller ${index + 1} hears anna`)
      await annas.hangUp()
      await caller.over()
    }
    await waitingAre(0)
    const { record } = await bench.end()
    const events = await bench.inbound.timeline(record.call_id)
    expect(events.filter(({ event }) => event === 'call.queued')).to.have.length(1)
  })

  it('forget who hung up while the server was away, and offer the agent who became free to the next', async () => {
    await toQueue()
    await occupy()
    const first = await queued(700, 1)
    const second = await queued(1000, 2)
    await bench.inbound.bench.appliance.killServer()
    await first.hangUp()
    const before = anna.phone.incoming.length
    await bridge.agent.hangUp()
    await bench.inbound.bench.appliance.startServer()
    const annas = await rung(anna, before)
    await annas.up()
    await hearing(annas, 1000, 'anna hears the second')
    await second.hangUp()
    await eventually(
      async () => query(bench.inbound.bench.appliance, 'SELECT * FROM queue_entries'),
      (rows) => rows.length === 0,
    )
  })

  it('leave no call and no channel behind', async () => {
    await eventually(
      async () => query(bench.inbound.bench.appliance, 'SELECT id FROM calls WHERE live = 1'),
      (rows) => rows.length === 0,
      { what: 'calls that have ended' },
    )
    expect(await query(bench.inbound.bench.appliance, 'SELECT * FROM queue_entries')).to.deep.equal([])
  })
})

/** How loud what a party heard in the last half second is. */
function loudness({ media, phone }: PhoneDialog): number {
  const heard = phone.ear.heard().find(({ source }) => source === `${media?.host}:${media?.port}`)
  const last = heard?.pcm.subarray(-4_000) ?? new Int16Array()
  const energy = last.reduce((sum, sample) => sum + sample * sample, 0)
  return last.length === 0 ? 0 : Math.sqrt(energy / last.length)
}
