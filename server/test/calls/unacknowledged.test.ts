/** Callers who never acknowledge our answer: it has not reached them, and they were connected with nobody. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { realestSwitch } from '../support/appliance.js'
import { callIn } from '../support/caller-in.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench } from '../support/inbound-bench.js'
import { PhoneBench, password } from '../support/phone-bench.js'
import { SipDialog } from '../support/sip-dialog.js'
import { SipPhone } from '../support/sip-phone.js'

const unconnected = { status: 'canceled', duration: 0, answered_at: null, sip_code: null }

for (const kind of [await realestSwitch()]) {
  describe(`callers who never acknowledge the answer on the ${kind}`, function () {
    this.timeout(90_000)
    let bench: InboundBench

    before(async () => {
      bench = await InboundBench.start({}, kind)
      await bench.runs([{ id: 'say', type: 'tts', params: { text: 'One two three four five six seven.' } }])
    })
    after(async () => bench?.stop())

    const calls = async () => (await bench.api.get('/calls?limit=1')).body.meta.total as number
    const call = async (options: Parameters<typeof callIn>[1]) => {
      const before = await calls()
      await callIn(bench, options)
      await eventually(calls, (count) => count > before, { what: 'call' })
      return bench.lastCallId()
    }

    it('pay nothing, where one who does pays for the same call', async () => {
      const paid = await bench.bench.ended(await call({}))
      expect(paid).to.include({ status: 'completed', sip_code: 200 })
      expect(paid.cost).to.be.above(0)
      const before = await bench.bench.balance()
      const record = await bench.bench.ended(await call({ acknowledges: false }))
      expect(record).to.include({ ...unconnected, cost: 0, hangup_cause: 'NORMAL_CLEARING' })
      expect(record.legs[0]!.answered_at).to.equal(null)
      expect((await bench.api.get('/credit')).body).to.include({ balance: before, held: 0 })
      const events = (await bench.timeline(record.call_id)).map(({ event }) => event)
      expect(events).to.include('call.answered')
      expect(events.at(-1)).to.equal('call.ended')
    })

    it('pay nothing either when that is read in the journal', async () => {
      const long = 'This is a long text. '.repeat(20)
      await bench.runs([{ id: 'say', type: 'tts', params: { text: long } }])
      const { appliance } = bench.bench
      for (const acknowledges of [true, false]) {
        const id = await call({ acknowledges, stays: 4 })
        await bench.bench.reaches(id, 'started')
        await appliance.killServer()
        await sleep(4_500)
        await appliance.startServer()
        const record = await bench.bench.ended(id)
        if (!acknowledges) expect(record).to.include({ ...unconnected, cost: 0 })
        else expect(record.duration, record.status).to.be.within(4, 5)
      }
    })
  })
}

describe('phones that never acknowledge the answer on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
  })
  after(async () => phones?.stop())

  it('were connected with nobody; what they called is paid', async () => {
    const account = await phones.account('alice', '12025550199')
    const phone = await phones.phone(account, { acknowledges: false })
    const call = phone.call('+12025550100')
    await call.heard(180)
    expect(await call.answered()).to.equal(200)
    await sleep(2_500)
    await call.hangUp()
    const record = await phones.lastCall()
    expect(record).to.include(unconnected)
    expect(record.legs.map(({ answered_at }) => answered_at !== null)).to.deep.equal([false, true])
    expect(record.cost).to.be.within(0.03, 0.05)
  })

  it('and those that do were, also when they renew the call', async () => {
    const phone = await phones.phone(await phones.account('carol', '12025550199'))
    const call = phone.call('+12025550100')
    expect(await call.answered()).to.equal(200)
    await sleep(500)
    phone.renew(call, 'sendrecv')
    await eventually(
      async () => call.statuses.filter((status) => status === 200).length,
      (count) => count === 2,
      { what: 'answer to the re-INVITE' },
    )
    await sleep(1_500)
    await call.hangUp()
    expect(await phones.lastCall()).to.include({ status: 'completed', sip_code: 200 })
  })

  for (const transport of ['udp', 'ws', 'wss'] as const) {
    it(`and those that do over ${transport} were`, async () => {
      const account = await phones.account(`by${transport}`, '12025550199')
      const kamailio = phones.bench.appliance.kamailio!.options
      const phone = await SipPhone.open(kamailio, { ...account, password, transport })
      const uri = `sip:+12025550100@${account.domain}`
      const answer = await phone.authorised('INVITE', uri, {
        to: uri,
        callId: `${transport}@phone`,
        extra: [`Contact: <${phone.contact}>`, 'Content-Type: application/sdp'],
        body: sdp,
      })
      expect(answer.status, answer.text).to.equal(200)
      const dialog = SipDialog.calling(phone, answer)
      await dialog.acknowledge()
      await sleep(1_500)
      expect((await dialog.request('BYE')).status).to.equal(200)
      phone.link.close()
      expect(await phones.lastCall()).to.include({ status: 'completed', sip_code: 200 })
    })
  }
})

const sdp = [
  ...['v=0', 'o=phone 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'],
  ...['m=audio 40000 RTP/AVP 0', 'a=rtpmap:0 PCMU/8000', ''],
].join('\r\n')
