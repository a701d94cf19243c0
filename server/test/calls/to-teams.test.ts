/** Calls that the API makes to a team's extension, on a real FreeSWITCH: all are rung, and the program runs with one. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { CallRecord } from '../support/call-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type Account, PhoneBench } from '../support/phone-bench.js'
import type { PhoneDialog } from '../support/phone-dialog.js'
import { header } from '../support/sip-message.js'
import type { Telephone } from '../support/telephone.js'
import { hearing } from '../support/team-bench.js'

const deskHz = 1300
const toDesk = { action: 'to_operator', params: { phone_number: 'desk' } }

describe('calls to teams on the freeswitch', function () {
  this.timeout(90_000)
  let phones: PhoneBench
  let agents: Account[]
  let anna: Telephone
  let ben: Telephone
  let desk: Telephone

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start({ settings: { JACKFIELD_CALLS_RING_TIMEOUT: '15' } })
    agents = [await phones.agent('anna'), await phones.agent('ben')]
    anna = await phones.phone(agents[0]!, { toneHz: 600 })
    ben = await phones.phone(agents[1]!, { toneHz: 900 })
    desk = await phones.phone(await phones.account('desk'), { toneHz: deskHz })
    await phones.extension('302', await phones.team('Sales', agents))
    await phones.extension('303', await phones.team('Nobody', [await phones.agent('absent')]))
  })
  beforeEach(() => {
    anna.onCall = 'ring'
    ben.onCall = 'ring'
  })
  after(async () => phones?.stop())

  /** Calls the team; both of its phones ring. */
  async function ringing(more: object = {}): Promise<{ id: string; annas: PhoneDialog; bens: PhoneDialog }> {
    const before = [anna.incoming.length, ben.incoming.length] as const
    const id = await phones.bench.call('302', [toDesk], more)
    const [annas, bens] = await Promise.all([anna.called(before[0]), ben.called(before[1])])
    return { id, annas, bens }
  }

  /** The program runs on the leg of who has answered: it joins them with the desk. */
  async function expectTalk(id: string, answer: PhoneDialog, hz: number): Promise<CallRecord> {
    await phones.bench.reaches(id, 'active', 20_000)
    await hearing(answer, deskHz, 'the member hears the desk')
    await hearing(desk.incoming.at(-1)!, hz, 'the desk hears the member')
    await answer.hangUp()
    return expectWhole(id)
  }

  async function expectWhole(id: string): Promise<CallRecord> {
    await phones.bench.ended(id)
    // The desk's leg ends behind the call.
    const record = await eventually(
      async () => phones.bench.record(id),
      ({ legs }) => legs.every(({ ended_at }) => ended_at !== null),
      { what: 'end of all legs' },
    )
    const names = (await phones.bench.timeline(id)).map(({ event }) => event)
    expect(names[0]).to.equal('call.created')
    for (const name of ['call.ringing', 'call.answered', 'call.ended']) {
      expect(names.filter((one) => one === name).length, name).to.be.at.most(1)
    }
    return record
  }

  it('ring all of its phones, and run their actions with who answers first', async () => {
    const { id, annas, bens } = await ringing({ from: { number: '+12025550199', name: 'Front office' } })
    expect(header({ text: annas.received[0]! }, 'From')).to.match(/Front office.*\+12025550199/)
    await phones.bench.reaches(id, 'ringing')
    ben.accept(bens)
    expect(await annas.over()).to.equal('CANCEL')
    const record = await expectTalk(id, bens, 900)
    expect(record).to.include({
      status: 'completed',
      to: '302',
      from: '+12025550199',
      cost: 0,
      sip_code: 200,
    })
    const called = record.legs.filter(({ role }) => role === 'called')
    expect(called.map((leg) => [leg.agent_id, leg.hangup_cause])).to.have.deep.members([
      [agents[0]!.id, 'LOSE_RACE'],
      [agents[1]!.id, 'NORMAL_CLEARING'],
    ])
  })

  it('go to one only of those who answer in the same instant', async () => {
    const { id, annas, bens } = await ringing()
    anna.accept(annas)
    ben.accept(bens)
    await phones.bench.reaches(id, 'active')
    const isAnna = annas.state === 'up'
    expect([annas, bens].filter(({ state }) => state === 'up')).to.have.length(1)
    const record = await expectTalk(id, isAnna ? annas : bens, isAnna ? 600 : 900)
    expect(record.status).to.equal('completed')
  })

  it('run a flow with who answers', async () => {
    const { body: flow } = await phones.api.post('/call-flows', {
      title: 'Calls Sales',
      trigger_type: 'outbound',
      nodes: [
        { id: 'start', type: 'start', next: { default: 'to' } },
        { id: 'to', type: 'to_operator', params: { to: { number: 'desk' } } },
      ],
    })
    const had = ben.incoming.length
    const { status, body } = await phones.api.post('/calls/make', {
      to: { number: '302' },
      call_flow_id: flow.id,
    })
    expect(status, JSON.stringify([flow, body])).to.equal(201)
    const bens = await ben.called(had)
    ben.accept(bens)
    await expectTalk(body.data.call_id as string, bens, 900)
  })

  for (const [what, does, status, cause] of [
    ['nobody takes it', 'ring', 'no_answer', 'NO_ANSWER'],
    ['all decline', 486, 'no_answer', 'NO_ANSWER'],
    ['no phone works', 500, 'failed', 'NORMAL_TEMPORARY_FAILURE'],
  ] as const) {
    it(`end with ${status} when ${what}`, async () => {
      anna.onCall = ben.onCall = does
      const record = await phones.bench.ended(await phones.bench.call('302', [toDesk]), 40_000)
      expect(record).to.include({ status, hangup_cause: cause, duration: 0 })
      expect(record.legs).to.have.length(2)
    })
  }

  it('fail when nobody of it is there', async () => {
    const record = await phones.bench.ended(await phones.bench.call('303', [toDesk]))
    expect(record).to.include({ status: 'failed', hangup_cause: 'SUBSCRIBER_ABSENT' })
    expect(record.legs).to.deep.equal([])
  })

  it('are given up by the API while they ring', async () => {
    const { id, annas, bens } = await ringing()
    await phones.api.post(`/calls/${id}/hangup`)
    expect([await annas.over(), await bens.over()]).to.deep.equal(['CANCEL', 'CANCEL'])
    const record = await expectWhole(id)
    expect(record).to.include({ status: 'canceled', hangup_cause: 'ORIGINATOR_CANCEL' })
  })

  describe('when the server is killed', () => {
    it('while they ring: who is there is rung again, for the time that is left', async () => {
      const { id, annas, bens } = await ringing()
      const [hadAnna, hadBen] = [anna.incoming.length, ben.incoming.length]
      await phones.bench.appliance.killServer()
      await phones.bench.appliance.startServer()
      expect([await annas.over(), await bens.over()]).to.deep.equal(['CANCEL', 'CANCEL'])
      const again = await anna.called(hadAnna)
      const bensAgain = await ben.called(hadBen)
      anna.accept(again)
      expect(await bensAgain.over()).to.equal('CANCEL')
      expect((await expectTalk(id, again, 600)).status).to.equal('completed')
    })

    it('and somebody answers meanwhile: the program runs with them, and the others are let go', async () => {
      const { id, annas, bens } = await ringing()
      await phones.bench.appliance.killServer()
      ben.accept(bens)
      await bens.up()
      await phones.bench.appliance.startServer()
      expect(await annas.over()).to.equal('CANCEL')
      expect((await expectTalk(id, bens, 900)).status).to.equal('completed')
    })

    it('and somebody answers and leaves meanwhile: the call is over', async () => {
      const { id, annas, bens } = await ringing()
      await phones.bench.appliance.killServer()
      ben.accept(bens)
      await bens.up()
      await sleep(500)
      await bens.hangUp()
      await phones.bench.appliance.startServer()
      expect(await annas.over()).to.equal('CANCEL')
      expect((await expectWhole(id)).status).to.equal('completed')
    })

    it('in the talk: it goes on, and its end is written', async () => {
      const { id, annas, bens } = await ringing()
      ben.accept(bens)
      await annas.over()
      await phones.bench.reaches(id, 'active')
      await phones.bench.appliance.killServer()
      await phones.bench.appliance.startServer()
      expect((await expectTalk(id, bens, 900)).status).to.equal('completed')
    })
  })
})
