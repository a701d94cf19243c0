/** What becomes of calls of phones when the server, its link or the switch dies; and many calls at once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { billed } from '../support/billed.js'
import { pino } from 'pino'
import { SwitchLink } from '../../src/adapters/freeswitch/switch-link.js'
import { Switchboard } from '../../src/adapters/freeswitch/switchboard.js'
import { query } from '../api/database.js'
import { eventually } from '../support/api-client.js'
import { type CallRecord, feePerMinute } from '../support/call-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { PhoneBench } from '../support/phone-bench.js'
import { type PhoneDialog, hears } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'

const aliceHz = 500
const bobHz = 900
const pairs = 20

describe('faults and load of calls of phones on the freeswitch', function () {
  this.timeout(120_000)
  let phones: PhoneBench
  let alice: Telephone
  let bob: Telephone

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    alice = await phones.phone(await phones.account('alice', '12025550199'), { toneHz: aliceHz })
    bob = await phones.phone(await phones.account('bob'), { toneHz: bobHz })
  })
  beforeEach(() => {
    bob.onCall = 'answer'
    bob.says = []
  })
  after(async () => phones?.stop())

  const appliance = () => phones.bench.appliance

  /** A call of Alice's to Bob that is up; with its id and both ends. */
  async function talk(): Promise<{ id: string; call: PhoneDialog; answer: PhoneDialog }> {
    const call = alice.call('bob')
    expect(await call.answered()).to.equal(200)
    const answer = bob.incoming.at(-1)!
    await answer.up()
    return { id: await phones.lastCallIs('active'), call, answer }
  }

  async function ringing(): Promise<{ id: string; call: PhoneDialog; answer: PhoneDialog }> {
    bob.onCall = 'ring'
    const call = alice.call('bob')
    await call.heard(180)
    return { id: await phones.lastCallIs('ringing'), call, answer: bob.incoming.at(-1)! }
  }

  async function expectWhole(id: string): Promise<CallRecord> {
    const record = await phones.bench.ended(id, 30_000)
    const names = (await phones.bench.timeline(id)).map(({ event }) => event)
    expect(names[0]).to.equal('call.created')
    expect(names.filter((name) => name === 'call.ended')).to.have.length(1)
    expect(names.at(-1)).to.equal('call.ended')
    expect(new Set(names).size).to.equal(names.length)
    expect(record.legs.every(({ ended_at }) => ended_at !== null)).to.equal(true)
    return record
  }

  describe('kill -9 of the server', () => {
    it('in a talk: both go on hearing each other, and the end is written', async () => {
      const { id, call, answer } = await talk()
      await appliance().killServer()
      await sleep(1_000)
      expect(hears(call, bobHz)).to.be.above(0.9)
      expect(hears(answer, aliceHz)).to.be.above(0.9)
      await appliance().startServer()
      await sleep(300)
      expect((await phones.bench.record(id)).status).to.equal('active')
      await answer.hangUp()
      expect(await call.over()).to.equal('BYE')
      const record = await expectWhole(id)
      expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING', sip_code: 200 })
    })

    it('in a talk that ends meanwhile: its true end is found', async () => {
      const { id, call } = await talk()
      await appliance().killServer()
      await sleep(1_200)
      await call.hangUp()
      const hungUp = Date.now()
      await sleep(2_000)
      await appliance().startServer()
      const record = await expectWhole(id)
      expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING', sip_code: 200 })
      expect(Date.parse(record.ended_at!)).to.be.closeTo(hungUp, 500)
    })

    it('in a talk with the telephone network: it is charged to the end', async () => {
      const call = alice.call('+12025550100')
      await call.answered()
      const id = await phones.lastCallIs('active')
      await appliance().killServer()
      await sleep(1_500)
      await appliance().startServer()
      await sleep(500)
      await call.hangUp()
      const record = await expectWhole(id)
      const lasted = (Date.parse(record.ended_at!) - Date.parse(record.answered_at!)) / 1000
      expect(record.duration).to.equal(Math.round(lasted)).and.to.be.above(1)
      expect(record.cost).to.be.closeTo((billed(record) * feePerMinute) / 60, 1e-6)
    })

    it('while it rings: the answer joins both, server or not', async () => {
      const { id, call, answer } = await ringing()
      await appliance().killServer()
      bob.accept(answer)
      expect(await call.answered()).to.equal(200)
      const answered = Date.now()
      await sleep(600)
      expect(hears(call, bobHz)).to.be.above(0.9)
      await appliance().startServer()
      await phones.bench.reaches(id, 'active')
      await call.hangUp()
      const lasted = (Date.now() - answered) / 1000
      const record = await expectWhole(id)
      expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      expect(record.duration).to.be.closeTo(lasted, 1.5).and.to.be.above(0)
    })

    it('while it rings, and it goes on ringing', async () => {
      const { id, call, answer } = await ringing()
      await appliance().killServer()
      await appliance().startServer()
      expect((await phones.bench.record(id)).status).to.equal('ringing')
      bob.accept(answer)
      expect(await call.answered()).to.equal(200)
      await phones.bench.reaches(id, 'active')
      await call.hangUp()
      expect(await expectWhole(id)).to.include({ status: 'completed' })
    })

    it('while it rings, and the caller gives up meanwhile', async () => {
      const { id, call, answer } = await ringing()
      await appliance().killServer()
      alice.cancel(call)
      expect(await call.over()).to.equal('487')
      expect(await answer.over()).to.equal('CANCEL')
      await appliance().startServer()
      const record = await expectWhole(id)
      expect(record).to.include({ status: 'canceled', hangup_cause: 'ORIGINATOR_CANCEL', sip_code: 487 })
    })

    it('while it rings, and the called phone declines meanwhile', async () => {
      const { id, call, answer } = await ringing()
      await appliance().killServer()
      bob.refuse(answer, 603)
      expect(await call.over()).to.equal('603')
      await appliance().startServer()
      const record = await expectWhole(id)
      expect(record).to.include({ status: 'failed', hangup_cause: 'CALL_REJECTED', sip_code: 603 })
    })

    it('while it rings, and the called phone sends the call to elsewhere afterwards', async () => {
      const { id, call, answer } = await ringing()
      await appliance().killServer()
      await appliance().startServer()
      // It takes no call before those that there were are taken up.
      expect(await alice.call('199').answered()).to.equal(404)
      bob.says = ['Contact: <sip:102@elsewhere.example>']
      bob.refuse(answer, 302)
      expect(await call.over()).to.equal('480')
      const record = await expectWhole(id)
      expect(record).to.include({ status: 'no_answer', sip_code: 480 })
      expect(record.legs.at(-1)).to.include({ role: 'called', sip_code: 302 })
    })

    it('between two addresses of a gateway: the next one is tried', async () => {
      const { bench } = phones
      await bench.connectNumber('2025550151', [bench.deadUri(1), bench.healthyUri(2)])
      const phone = await phones.phone(await phones.account('dora', '12025550151'))
      const call = phone.call('+12025550100')
      await call.heard(100)
      await sleep(1_000)
      await appliance().killServer()
      await sleep(3_000)
      await appliance().startServer()
      expect(await call.answered()).to.equal(200)
      await sleep(300)
      await call.hangUp()
      const record = await phones.lastCall()
      expect(record.legs.map(({ role, sip_code }) => `${role} ${sip_code}`)).to.deep.equal([
        'caller null',
        'called 408',
        'called null',
      ])
    })

    it('and a phone that calls meanwhile is connected when it is back', async () => {
      await appliance().killServer()
      const call = alice.call('bob')
      await sleep(1_500)
      expect(call.state).to.equal('ringing')
      await appliance().startServer()
      expect(await call.answered()).to.equal(200)
      await call.hangUp()
      expect(await phones.lastCall()).to.include({ status: 'completed', to: 'bob' })
    })
  })

  it('a cut link to the switch: talks go on, and what ended meanwhile is found', async () => {
    const { id, call } = await talk()
    const cut = appliance().cutLink(2_000)
    await sleep(1_000)
    await call.hangUp()
    await cut
    expect(await expectWhole(id)).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
    const next = await talk()
    await appliance().cutLink(500)
    await sleep(1_000)
    expect(hears(next.call, bobHz)).to.be.above(0.9)
    await next.answer.hangUp()
    expect(await expectWhole(next.id)).to.include({ status: 'completed' })
  })

  it(`${pairs} phones call ${pairs} others at once: each hears its own`, async () => {
    const callers: Telephone[] = []
    const called: Telephone[] = []
    for (let index = 0; index < pairs; index++) {
      callers.push(await phones.phone(await phones.account(`caller${index}`), { toneHz: 400 + 60 * index }))
      called.push(await phones.phone(await phones.account(`called${index}`), { toneHz: 430 + 60 * index }))
    }
    const began = Date.now()
    const calls = callers.map((phone, index) => phone.call(`called${index}`))
    for (const call of calls) expect(await call.answered()).to.equal(200)
    const took = Date.now() - began
    await sleep(2_000)
    for (const [index, call] of calls.entries()) {
      expect(hears(call, 430 + 60 * index), `caller ${index}`).to.be.above(0.8)
      expect(hears(called[index]!.incoming[0]!, 400 + 60 * index), `called ${index}`).to.be.above(0.8)
    }
    await Promise.all(
      calls.map(async (call, index) => (index % 2 ? call.hangUp() : called[index]!.incoming[0]!.hangUp())),
    )
    for (const call of calls) await call.over()
    expect(took, 'milliseconds from the first INVITE to the last answer').to.be.below(10_000)
  })

  describe('afterwards', () => {
    it('leaves no row live, no leg open, and no channel', async () => {
      await eventually(
        async () =>
          query(
            appliance(),
            `SELECT (SELECT COUNT(*) FROM calls WHERE live = 1) AS live,
                  (SELECT COUNT(*) FROM call_legs WHERE ended_at IS NULL) AS legs`,
          ),
        ([row]) => row.live === 0 && row.legs === 0,
        { what: 'rows that have ended' },
      )
      const link = new SwitchLink(appliance().eventSocket, pino({ level: 'silent' }))
      link.start()
      await new Promise((done) => link.once('up', done))
      const board = new Switchboard(link)
      await eventually(
        async () => board.channelIds(),
        (ids) => ids.length === 0,
        { what: 'switch without channels' },
      )
      await link.stop()
    })

    it('a switch that crashes: its calls end as such, and new ones work', async () => {
      const { id } = await talk()
      const waiting = await ringing()
      bob.onCall = 'answer'
      await appliance().crashSwitch()
      expect(await expectWhole(id)).to.include({ status: 'completed', hangup_cause: 'CRASH' })
      expect(await expectWhole(waiting.id)).to.include({ status: 'failed', hangup_cause: 'CRASH' })
      const next = await talk()
      await next.call.hangUp()
      expect(await expectWhole(next.id)).to.include({ status: 'completed' })
    })

    it('a machine that was off: what a phone had called is charged to when it was last heard of', async () => {
      const call = alice.call('+12025550100')
      await call.answered()
      const id = await phones.lastCallIs('active')
      await sleep(2_000)
      const heardAt = Date.now()
      await appliance().killServer()
      await sleep(6_000)
      await appliance().crashSwitch()
      await appliance().startServer()
      const record = await expectWhole(id)
      expect(record).to.include({ status: 'completed', hangup_cause: 'CRASH' })
      for (const { ended_at } of record.legs)
        expect(Date.parse(ended_at!)).to.be.within(heardAt - 2_500, heardAt + 500)
      expect(record.cost).to.be.closeTo((billed(record) * feePerMinute) / 60, 0.011)
      expect(record.duration).to.be.within(1, 3)
    })
  })
})
