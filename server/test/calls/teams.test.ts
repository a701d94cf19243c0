/** Connecting callers with agents and teams, on a real FreeSWITCH: who rings, who wins, and who hears whom. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { header } from '../support/sip-message.js'
import { TeamBench, type Worker, hearing, rung } from '../support/team-bench.js'
import { hears } from '../support/phone-dialog.js'

const callerHz = 440

describe('agents and teams on the freeswitch', function () {
  this.timeout(90_000)
  let bench: TeamBench
  let workers: Worker[]
  let team: string
  let empty: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await TeamBench.start()
    workers = [
      await bench.worker('anna', 600),
      await bench.worker('ben', 900),
      await bench.worker('cleo', 1300),
    ]
    const agents = workers.map(({ agent }) => agent)
    team = await bench.phones.team('Sales', agents)
    empty = await bench.phones.team('Nobody', [await bench.phones.agent('absent')])
    await bench.phones.extension('301', agents[0]!)
    await bench.phones.extension('302', team)
  })
  beforeEach(async () => {
    for (const worker of workers) {
      worker.phone.onCall = 'answer'
      await bench.inState(worker, 'available')
    }
  })
  after(async () => bench?.stop())

  const counts = () => workers.map(({ phone }) => phone.incoming.length)
  const all = (does: 'answer' | 'ring' | number) => {
    for (const { phone } of workers) phone.onCall = does
  }

  describe('connect_agent', () => {
    const toAnna = async (params: object = {}) =>
      bench.leadsTo('connect_agent', { agent_id: workers[0]!.agent.id, ...params })

    it('joins caller and agent: each hears the other, and the agent sees who calls', async () => {
      await toAnna()
      const [anna] = workers as [Worker]
      anna.phone.onCall = 'ring'
      const [before] = counts()
      const caller = await bench.call(callerHz)
      const annas = await rung(anna, before!)
      await caller.heard(180)
      expect(caller.state, 'the caller waits unanswered').to.equal('ringing')
      await bench.inState(anna, 'busy')
      anna.phone.accept(annas)
      expect(await caller.answered()).to.equal(200)
      await hearing(caller, anna.hz, 'the caller hears anna')
      await hearing(annas, callerHz, 'anna hears the caller')
      expect(header({ text: annas.received[0]! }, 'From')).to.include('+12125550123')
      await bench.inState(anna, 'incall')
      await caller.hangUp()
      expect(await annas.over()).to.equal('BYE')
      const { record, outcome } = await bench.end()
      expect(outcome).to.equal('')
      expect(record.legs.map(({ role, agent_id }) => [role, agent_id])).to.deep.equal([
        ['caller', null],
        ['destination', anna.agent.id],
      ])
      await bench.inState(anna, 'available')
    })

    it('goes on when the agent leaves', async () => {
      await toAnna()
      const [before] = counts()
      const caller = await bench.call()
      const annas = await rung(workers[0]!, before!)
      await annas.up()
      await annas.hangUp()
      await caller.over()
      expect((await bench.end()).outcome).to.equal('to:completed')
    })

    for (const [does, outcome] of [
      [486, 'busy'],
      [603, 'busy'],
      ['ring', 'no_answer'],
      [500, 'failed'],
    ] as const) {
      it(`ends with ${outcome} when the phone says ${does}`, async () => {
        await toAnna({ timeout: 2 })
        all(does)
        const caller = await bench.call()
        await caller.over()
        expect((await bench.end()).outcome).to.equal(`to:${outcome}`)
        await bench.inState(workers[0]!, 'available')
      })
    }

    it('ends with busy when the agent has a call, whose phone does not ring', async () => {
      await toAnna()
      const first = await bench.call()
      expect(await first.answered()).to.equal(200)
      const before = counts()
      const second = await bench.call()
      await second.over()
      expect((await bench.end()).outcome).to.equal('to:busy')
      expect(counts()).to.deep.equal(before)
      await first.hangUp()
    })

    it('ends with offline when no softphone is registered', async () => {
      const { body } = await bench.phones.api.get('/agents?search=absent')
      await bench.leadsTo('connect_agent', { agent_id: body.data[0].id })
      await (await bench.call()).over()
      expect((await bench.end()).outcome).to.equal('to:offline')
    })

    it('plays the ringback audio to the caller until the agent answers', async () => {
      const audio = await bench.phones.api.post('/audios', {
        title: 'Wait',
        text: 'Please hold the line a moment.',
      })
      await toAnna({ ringback_audio_id: audio.body.id })
      const [anna] = workers as [Worker]
      anna.phone.onCall = 'ring'
      const [before] = counts()
      const caller = await bench.call()
      await caller.heard(183)
      const annas = await rung(anna, before!)
      await eventually(
        async () => loudness(caller),
        (level) => level > 300,
        { what: 'ringback' },
      )
      anna.phone.accept(annas)
      expect(await caller.answered()).to.equal(200)
      await hearing(caller, anna.hz, 'the caller hears anna')
      await caller.hangUp()
    })
  })

  describe('connect_team', () => {
    const toTeam = async (params: object = {}) => bench.leadsTo('connect_team', { team_id: team, ...params })

    it('rings all, and lets the others go when one answers', async () => {
      await toTeam()
      all('ring')
      const before = counts()
      const caller = await bench.call(callerHz)
      const dialogs = await Promise.all(workers.map(async (worker, index) => rung(worker, before[index]!)))
      workers[1]!.phone.accept(dialogs[1]!)
      expect(await caller.answered()).to.equal(200)
      expect(await dialogs[0]!.over()).to.equal('CANCEL')
      expect(await dialogs[2]!.over()).to.equal('CANCEL')
      const cancel = dialogs[0]!.received.find((text) => text.startsWith('CANCEL')) ?? ''
      expect(header({ text: cancel }, 'Reason')).to.include('completed elsewhere')
      await hearing(caller, workers[1]!.hz, 'the caller hears ben')
      await hearing(dialogs[1]!, callerHz, 'ben hears the caller')
      await bench.inState(workers[0]!, 'available')
      await caller.hangUp()
      const { record } = await bench.end()
      const causes = record.legs.filter(({ role }) => role === 'destination').map((leg) => leg.hangup_cause)
      expect(causes.sort()).to.deep.equal(['LOSE_RACE', 'LOSE_RACE', 'NORMAL_CLEARING'])
    })

    it('joins exactly one when all answer in the same instant', async () => {
      await toTeam()
      for (let round = 0; round < 5; round++) {
        all('ring')
        const before = counts()
        const caller = await bench.call(callerHz)
        const dialogs = await Promise.all(workers.map(async (worker, index) => rung(worker, before[index]!)))
        workers.forEach(({ phone }, index) => phone.accept(dialogs[index]!))
        expect(await caller.answered()).to.equal(200)
        await eventually(
          async () => Promise.resolve(dialogs.filter(({ state }) => state === 'ended').length),
          (ended) => ended === 2,
          { what: 'two who lost' },
        )
        const winner = dialogs.findIndex(({ state }) => state === 'up')
        await hearing(caller, workers[winner]!.hz, `the caller hears the winner of round ${round}`)
        const heard = workers.map(({ hz }) => hears(caller, hz, 2_000) > 0.3)
        expect(heard.filter(Boolean)).to.have.length(1)
        await caller.hangUp()
        await dialogs[winner]!.over()
        const { record } = await bench.end()
        expect(record.legs.every(({ ended_at }) => ended_at !== null)).to.equal(true)
        for (const worker of workers) await bench.inState(worker, 'available')
      }
    })

    it('rings one after another in the order of the team', async () => {
      await toTeam({ strategy: 'sequential', timeout: 2 })
      workers[0]!.phone.onCall = 486
      workers[1]!.phone.onCall = 'ring'
      const before = counts()
      const caller = await bench.call(callerHz)
      const bens = await rung(workers[1]!, before[1]!)
      expect(counts()[2], 'cleo is not rung yet').to.equal(before[2])
      expect(await bens.over()).to.equal('CANCEL')
      expect(await caller.answered()).to.equal(200)
      await hearing(caller, workers[2]!.hz, 'the caller hears cleo')
      await caller.hangUp()
      expect(counts()).to.deep.equal(before.map((count) => count + 1))
    })

    it('begins each round behind who was rung last, also after a restart', async () => {
      await toTeam({ strategy: 'round-robin' })
      const order: number[] = []
      for (let round = 0; round < 5; round++) {
        const before = counts()
        const caller = await bench.call()
        expect(await caller.answered()).to.equal(200)
        order.push(counts().findIndex((count, index) => count > before[index]!))
        await caller.hangUp()
        await bench.end()
        for (const worker of workers) await bench.inState(worker, 'available')
        if (round === 1) {
          await bench.inbound.bench.appliance.killServer()
          await bench.inbound.bench.appliance.startServer()
        }
      }
      const [first = 0] = order
      expect(order).to.deep.equal([0, 1, 2, 3, 4].map((step) => (first + step) % 3))
    })

    it('rings in a random order, each member once', async () => {
      await toTeam({ strategy: 'random' })
      all(486)
      const orders = new Set<string>()
      const incomingCalls: string[] = []
      workers.forEach(({ phone, agent }) => phone.on('call', () => incomingCalls.push(agent.username)))
      for (let round = 0; round < 8; round++) {
        incomingCalls.length = 0
        await (await bench.call()).over()
        await bench.end()
        expect([...incomingCalls].sort()).to.deep.equal(['anna', 'ben', 'cleo'])
        orders.add(incomingCalls.join(' '))
      }
      workers.forEach(({ phone }) => phone.removeAllListeners('call'))
      expect(orders.size).to.be.greaterThan(1)
    })

    it('ends with no_answer when nobody takes the call, or all have one, and offline when nobody is there', async () => {
      await toTeam({ timeout: 2 })
      all('ring')
      await (await bench.call()).over()
      expect((await bench.end()).outcome).to.equal('to:no_answer')
      await bench.leadsTo('connect_team', { team_id: empty })
      await (await bench.call()).over()
      expect((await bench.end()).outcome).to.equal('to:offline')
      all('answer')
      await toTeam({ strategy: 'sequential' })
      const bridges = []
      for (const worker of workers) {
        const bridge = await bench.call()
        expect(await bridge.answered()).to.equal(200)
        bridges.push(bridge)
        await bench.inState(worker, 'incall')
      }
      const before = counts()
      await (await bench.call()).over()
      expect((await bench.end()).outcome).to.equal('to:no_answer')
      expect(counts()).to.deep.equal(before)
      for (const bridge of bridges) await bridge.hangUp()
      for (const worker of workers) await bench.inState(worker, 'available')
    })

    it('gives an agent one call of several that come at once', async () => {
      const solo = await bench.phones.team('Solo', [workers[0]!.agent])
      await bench.leadsTo('connect_team', { team_id: solo, timeout: 2 })
      all('ring')
      const [before] = counts()
      const callers = await Promise.all([1, 2, 3].map(async () => bench.call()))
      await Promise.all(callers.map(async (caller) => caller.over()))
      expect(counts()[0]).to.equal(before! + 1)
      await bench.inState(workers[0]!, 'available')
    })
  })

  describe('extensions of agents and teams', () => {
    it('are reached from flows', async () => {
      const { body } = await bench.phones.api.get('/extensions?sort_field=title&sort_order=asc')
      const id = (number: string) =>
        (body.data as { id: string; extension_number: string }[]).find(
          (one) => one.extension_number === number,
        )!.id
      for (const number of ['301', '302']) {
        workers.slice(1).forEach(({ phone }) => (phone.onCall = 486))
        await bench.leadsTo('go_to_extension', { extension_id: id(number) })
        const before = counts()
        const caller = await bench.call(callerHz)
        const annas = await rung(workers[0]!, before[0]!)
        await annas.up()
        await hearing(annas, callerHz, 'anna hears the caller')
        await annas.hangUp()
        await caller.over()
        expect((await bench.end()).outcome).to.equal('to:completed')
        for (const worker of workers) await bench.inState(worker, 'available')
      }
    })

    it('are found by the keys that the caller has pressed', async () => {
      await bench.inbound.runs([
        { id: 'ask', type: 'menu', params: { text: 'Which one?' }, next: { '3': 'to' } },
        { id: 'to', type: 'go_to_extension' },
      ])
      const caller = await bench.call()
      expect(await caller.answered()).to.equal(200)
      await sleep(300)
      caller.phone.press(caller, '3')
      await caller.over()
      expect((await bench.end()).outcome).to.equal('ask:3 to:unknown')
    })

    it('are dialled from phones: the first member who answers has the call', async () => {
      all('ring')
      const desk = await bench.phones.phone(await bench.phones.account('desk'), { toneHz: 1700 })
      const before = counts()
      const call = desk.call('302')
      await call.heard(180)
      const dialogs = await Promise.all(workers.map(async (worker, index) => rung(worker, before[index]!)))
      workers[2]!.phone.accept(dialogs[2]!)
      expect(await call.answered()).to.equal(200)
      await hearing(call, workers[2]!.hz, 'the desk hears cleo')
      await hearing(dialogs[2]!, 1700, 'cleo hears the desk')
      await dialogs[2]!.hangUp()
      expect(await call.over()).to.equal('BYE')
      expect(await bench.inbound.lastCall()).to.include({
        status: 'completed',
        direction: 'outbound',
        to: '302',
      })
      await bench.phones.extension('303', empty)
      expect(await desk.call('303').answered()).to.equal(480)
      expect(await bench.inbound.lastCall()).to.include({ status: 'no_answer', sip_code: 480 })
    })
  })

  describe('a server that is killed', () => {
    const restart = async () => {
      await bench.inbound.bench.appliance.killServer()
      await bench.inbound.bench.appliance.startServer()
    }

    it('rings the team again when it has come back', async () => {
      await bench.leadsTo('connect_team', { team_id: team, timeout: 20 })
      all('ring')
      const before = counts()
      const caller = await bench.call(callerHz)
      const dialogs = await Promise.all(workers.map(async (worker, index) => rung(worker, before[index]!)))
      await restart()
      const again = await Promise.all(workers.map(async (worker, index) => rung(worker, before[index]! + 1)))
      for (const dialog of dialogs) expect(await dialog.over()).to.equal('CANCEL')
      workers[0]!.phone.accept(again[0]!)
      expect(await caller.answered()).to.equal(200)
      await hearing(caller, workers[0]!.hz, 'the caller hears anna')
      await restart()
      await hearing(again[0]!, callerHz, 'anna hears the caller after another restart')
      await bench.inState(workers[0]!, 'incall')
      await again[0]!.hangUp()
      await caller.over()
      expect((await bench.end()).outcome).to.equal('to:completed')
      for (const worker of workers) await bench.inState(worker, 'available')
    })

    it('goes on with a phone that has dialled a team', async () => {
      all('ring')
      const desk = await bench.phones.phone(await bench.phones.account('desk2'), { toneHz: 1700 })
      const before = counts()
      const call = desk.call('302')
      const dialogs = await Promise.all(workers.map(async (worker, index) => rung(worker, before[index]!)))
      workers[1]!.phone.accept(dialogs[1]!)
      expect(await call.answered()).to.equal(200)
      await hearing(call, workers[1]!.hz, 'the desk hears ben')
      await restart()
      await hearing(dialogs[1]!, 1700, 'ben hears the desk after a restart')
      await call.hangUp()
      expect(await dialogs[1]!.over()).to.equal('BYE')
      expect(await bench.inbound.lastCall()).to.include({ status: 'completed', to: '302' })
    })
  })

  it('connect the calls of the API, too', async () => {
    const [before] = counts()
    const id = await bench.inbound.bench.call('+12025550106', [
      { action: 'connect_agent', params: { agent_id: workers[0]!.agent.id, timeout: 10 } },
    ])
    const annas = await rung(workers[0]!, before!)
    await annas.up()
    expect(header({ text: annas.received[0]! }, 'From')).to.include('+12025550106')
    await sleep(500)
    await annas.hangUp()
    const record = await bench.inbound.bench.ended(id)
    expect(record.legs[1]).to.include({ role: 'destination', agent_id: workers[0]!.agent.id })
  })
})

/** How loud what a party heard last is. */
async function loudness(dialog: Parameters<typeof hears>[0]): Promise<number> {
  const { media, phone } = dialog
  const heard = phone.ear.heard().find(({ source }) => source === `${media?.host}:${media?.port}`)
  const last = heard?.pcm.subarray(-4_000) ?? new Int16Array()
  const energy = last.reduce((sum, sample) => sum + sample * sample, 0)
  return Promise.resolve(last.length === 0 ? 0 : Math.sqrt(energy / last.length))
}
