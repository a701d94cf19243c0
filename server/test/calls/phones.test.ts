/** Calls of phones, on a real FreeSWITCH: every party plays its own tone. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { billed } from '../support/billed.js'
import { eventually } from '../support/api-client.js'
import { feePerMinute } from '../support/call-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type Account, PhoneBench } from '../support/phone-bench.js'
import { hears } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'
import { header } from '../support/sip-message.js'
import { toneLevel } from '../support/tone.js'

const aliceHz = 500
const bobHz = 900
const carrierHz = 1000

describe('calls of phones on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let alice: Telephone
  let bob: Telephone
  let aliceAccount: Account
  let bobAccount: Account

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start({
      carrier: { toneHz: carrierHz },
      settings: { JACKFIELD_CALLS_RING_TIMEOUT: '5' },
    })
    aliceAccount = await phones.account('alice', '12025550199')
    bobAccount = await phones.account('bob')
    await phones.extension('101', aliceAccount)
    await phones.extension('102', bobAccount)
    alice = await phones.phone(aliceAccount, { toneHz: aliceHz })
    bob = await phones.phone(bobAccount, { toneHz: bobHz })
  })
  beforeEach(() => {
    bob.onCall = 'answer'
  })
  after(async () => phones?.stop())

  const bobsCall = () => bob.incoming.at(-1)!

  for (const [what, dialled] of [
    ['a username', 'bob'],
    ['an extension', '102'],
  ] as const) {
    it(`reaches another phone by ${what}: each hears the other`, async () => {
      const call = alice.call(dialled)
      expect(await call.answered()).to.equal(200)
      expect(call.statuses).to.include(180)
      await bobsCall().up()
      await sleep(800)
      expect((await phones.lastCallIs('active')).length).to.be.above(5)
      expect(hears(call, bobHz), 'alice hears bob').to.be.above(0.9)
      expect(hears(bobsCall(), aliceHz), 'bob hears alice').to.be.above(0.9)
      await call.hangUp()
      expect(await bobsCall().over()).to.equal('BYE')
      const record = await phones.lastCall()
      expect(record).to.include({
        status: 'completed',
        direction: 'outbound',
        from: '101',
        to: dialled,
        sip_account_id: aliceAccount.id,
        hangup_cause: 'NORMAL_CLEARING',
        sip_code: 200,
        cost: 0,
      })
      const timeline = await phones.bench.timeline(record.call_id)
      expect(timeline.map(({ event, sip_code }) => `${event} ${sip_code}`)).to.deep.equal([
        'call.created null',
        'call.ringing 180',
        'call.answered 200',
        'call.ended 200',
      ])
      expect(record.legs.map(({ role, uri }) => `${role} ${uri}`)).to.deep.equal([
        `caller sip:alice@${aliceAccount.domain}`,
        `called sip:bob@${bobAccount.domain}`,
      ])
      expect(record.legs.every(({ ended_at }) => ended_at !== null)).to.equal(true)
    })
  }

  it('shows the called phone who calls, by what it can dial to call back', async () => {
    const call = alice.call('bob', { 'X-Own': 'private' })
    await call.answered()
    const invite = bobsCall().received[0]!
    expect(header({ text: invite }, 'From')).to.match(
      new RegExp(`^"Phone of alice" <sip:101@${aliceAccount.domain}>`),
    )
    expect(invite).to.not.match(/X-Own|X-Jackfield|jackfield_/i)
    await call.hangUp()
    await phones.lastCall()
  })

  it('ends with the called party', async () => {
    const call = alice.call('bob')
    await call.answered()
    await bobsCall().up()
    await bobsCall().hangUp()
    expect(await call.over()).to.equal('BYE')
    expect(await phones.lastCall()).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
  })

  it('reaches the telephone network: each hears the other, and the call is charged', async () => {
    const { bench } = phones
    bench.carrier!.ear.clear()
    const before = await bench.balance()
    // as it is dialled in the workspace's country
    const call = alice.call('2025550100')
    expect(await call.answered()).to.equal(200)
    await sleep(1_500)
    expect(hears(call, carrierHz), 'alice hears the carrier').to.be.above(0.9)
    const heard = bench.carrier!.ear.heard().at(-1)!.pcm
    expect(toneLevel(heard.subarray(-4_000), aliceHz), 'the carrier hears alice').to.be.above(0.9)
    await call.hangUp()
    const record = await phones.lastCall()
    expect(record).to.include({ status: 'completed', to: '+12025550100', from: '101' })
    expect(record.cost).to.be.closeTo((billed(record) * feePerMinute) / 60, 1e-6)
    expect(await bench.balance()).to.be.closeTo(before - record.cost, 1e-6)
    const invite = (await bench.carrier!.messages())
      .filter(({ method, direction }) => method === 'INVITE' && direction === 'received')
      .at(-1)!
    expect(invite.text).to.match(/^INVITE sip:\+12025550100@/)
    expect(invite.text).to.match(/^From: .*<sip:\+12025550199@127\.0\.0\.1>/m)
    expect(invite.text).to.not.match(/^X-/m)
  })

  it('passes on what the carrier plays before it answers', async () => {
    const call = alice.call('+12025550109')
    await call.heard(183)
    await sleep(700)
    expect(call.state).to.equal('ringing')
    expect(hears(call, carrierHz)).to.be.above(0.9)
    expect(await call.answered()).to.equal(200)
    await call.hangUp()
    await phones.lastCall()
  })

  it('ends with the carrier', async () => {
    const call = alice.call('+12025550106')
    expect(await call.answered()).to.equal(200)
    expect(await call.over()).to.equal('BYE')
    expect(await phones.lastCall()).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
  })

  it('gives up with its caller: the called phone stops ringing', async () => {
    bob.onCall = 'ring'
    const call = alice.call('bob')
    await call.heard(180)
    alice.cancel(call)
    expect(await call.over()).to.equal('487')
    expect(await bobsCall().over()).to.equal('CANCEL')
    expect(await phones.lastCall()).to.include({
      status: 'canceled',
      hangup_cause: 'ORIGINATOR_CANCEL',
      sip_code: 487,
    })
  })

  it('gives up when nobody answers', async () => {
    bob.onCall = 'ring'
    const call = alice.call('102')
    expect(await call.over()).to.equal('480')
    expect(await bobsCall().over()).to.equal('CANCEL')
    const record = await phones.lastCall()
    expect(record).to.include({ status: 'no_answer', hangup_cause: 'NO_ANSWER', sip_code: 480 })
  })

  for (const [sipCode, status, hangup_cause] of [
    [486, 'busy', 'USER_BUSY'],
    [603, 'failed', 'CALL_REJECTED'],
    [480, 'no_answer', 'NO_USER_RESPONSE'],
    [488, 'failed', 'INCOMPATIBLE_DESTINATION'],
  ] as const) {
    it(`tells the caller that the called phone said ${sipCode}`, async () => {
      bob.onCall = sipCode
      const call = alice.call('bob')
      expect(await call.answered()).to.equal(sipCode)
      const record = await phones.lastCall()
      expect(record).to.include({ status, hangup_cause, sip_code: sipCode, duration: 0 })
      expect(record.legs[1]).to.include({ sip_code: sipCode, hangup_cause })
    })
  }

  it('is held and taken back', async () => {
    const call = alice.call('bob')
    await call.answered()
    for (const direction of ['sendonly', 'sendrecv'] as const) {
      const before = call.statuses.filter((status) => status === 200).length
      alice.renew(call, direction)
      await eventually(
        async () => Promise.resolve(call.statuses.filter((status) => status === 200).length),
        (count) => count > before,
        { what: `answer to ${direction}` },
      )
      await sleep(500)
      expect(bobsCall().state).to.equal('up')
    }
    await sleep(500)
    expect(hears(call, bobHz)).to.be.above(0.9)
    expect(hears(bobsCall(), aliceHz)).to.be.above(0.9)
    await call.hangUp()
    await phones.lastCall()
    expect(phones.bench.appliance.freeswitch!.output()).to.not.match(/local_stream|Invalid file format/)
  })

  it('rings all phones of an account: the first to answer has the call', async () => {
    const carol = await phones.account('carol')
    const desk = await phones.phone(carol, { onCall: 'ring' })
    const mobile = await phones.phone(carol, { ringMs: 400, toneHz: 1300 })
    const call = alice.call('carol')
    expect(await call.answered()).to.equal(200)
    expect(await desk.incoming[0]!.over()).to.equal('CANCEL')
    await sleep(600)
    expect(hears(call, 1300)).to.be.above(0.9)
    expect(hears(mobile.incoming[0]!, aliceHz)).to.be.above(0.9)
    await mobile.incoming[0]!.hangUp()
    expect(await call.over()).to.equal('BYE')
    expect(await phones.lastCall()).to.include({ status: 'completed', to: 'carol' })
  })

  it('is hung up by the API', async () => {
    const call = alice.call('bob')
    await call.answered()
    const id = await phones.lastCallIs('active')
    expect(
      (await phones.bench.api.put(`/calls/${id}/actions`, { actions: [{ action: 'hangup' }] })).status,
    ).to.equal(400)
    expect((await phones.bench.api.post(`/calls/${id}/hangup`)).status).to.equal(200)
    expect(await call.over()).to.equal('BYE')
    expect(await bobsCall().over()).to.equal('BYE')
    bob.onCall = 'ring'
    const ringing = alice.call('bob')
    await ringing.heard(180)
    expect(
      (await phones.bench.api.post(`/calls/${await phones.lastCallIs('ringing')}/hangup`)).status,
    ).to.equal(200)
    expect(await ringing.over()).to.equal('487')
    expect(await bobsCall().over()).to.equal('CANCEL')
    await phones.lastCall()
  })
})
