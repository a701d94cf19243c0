/** Callers who withhold their number, through the real switch: neither it nor their name leaves to anybody. */
import { expect } from 'chai'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench } from '../support/inbound-bench.js'
import { type Account, PhoneBench } from '../support/phone-bench.js'
import { header } from '../support/sip-message.js'
import type { Telephone } from '../support/telephone.js'

const secret = '2125550123'
const ada = 'Ada Lovelace'

describe('callers who withhold their number', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let inbound: InboundBench
  let alice: Telephone
  let bob: Telephone
  let aliceAccount: Account
  let desk: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    inbound = InboundBench.on(phones.bench)
    await inbound.trustsCarrier()
    aliceAccount = await phones.account('alice', '12025550199')
    await phones.extension('101', aliceAccount)
    const account = await phones.account('bob')
    desk = await phones.extension('102', account)
    bob = await phones.phone(account)
    alice = await phones.phone(aliceAccount)
  })
  after(async () => phones?.stop())

  const invited = async (): Promise<string> => {
    const messages = await phones.bench.carrier!.messages()
    return messages.findLast(({ method, direction }) => method === 'INVITE' && direction === 'received')!.text
  }
  /** What the API and the timeline say of the latest call. */
  const told = async (): Promise<string> => {
    const record = await phones.lastCall()
    return JSON.stringify([record, await phones.bench.timeline(record.call_id)])
  }

  for (const [what, name, asserted] of [
    ['with a name', ada, `"${ada}" <sip:+1${secret}@carrier.test>`],
    ['without a name', '', `<sip:+1${secret}@carrier.test>`],
  ] as const) {
    const headers = { Privacy: 'id', 'P-Asserted-Identity': asserted }
    const caller = async () =>
      inbound.caller({ username: `+1${secret}`, ...(name && { displayName: name }), headers })

    it(`are anonymous to the phone that rings and to the API, ${what}`, async () => {
      await inbound.runs([{ id: 'ring', type: 'go_to_extension', params: { extension_id: desk } }])
      const had = bob.incoming.length
      const call = await inbound.answeredCall(await caller())
      const rung = await bob.called(had)
      expect(header({ text: rung.received[0]! }, 'From')).to.match(/^"anonymous" <sip:anonymous@/)
      await call.hangUp()
      await rung.over()
      expect(rung.received.join('\n')).not.to.match(new RegExp(`${secret}|${ada}`))
      expect(await phones.lastCall()).to.include({ from: 'anonymous', from_name: 'anonymous' })
      expect(await told()).not.to.match(new RegExp(`${secret}|${ada}`))
    })

    it(`are anonymous to the carrier that they are handed on to, ${what}`, async () => {
      await inbound.runs([{ id: 'out', type: 'to_operator', params: { phone_number: '+12025550100' } }])
      const call = await inbound.answeredCall(await caller())
      await call.hangUp()
      const text = await told()
      expect(await invited()).not.to.match(new RegExp(`${secret}|${ada}`))
      expect(text).not.to.match(new RegExp(`${secret}|${ada}`))
    })
  }

  it('are anonymous when a phone asks for that, to another phone', async () => {
    const had = bob.incoming.length
    const call = alice.call('102', { Privacy: 'id' })
    expect(await call.answered()).to.equal(200)
    const rung = await bob.called(had)
    expect(header({ text: rung.received[0]! }, 'From')).to.match(
      /^"anonymous" <sip:anonymous@anonymous\.invalid>/,
    )
    await call.hangUp()
    await rung.over()
    expect(rung.received.join('\n')).not.to.match(/alice|sip:101@/)
    expect(await phones.lastCall()).to.include({
      ...{ from: 'anonymous', from_name: 'anonymous', sip_account_id: aliceAccount.id },
    })
  })

  it('are told to the carrier alone, in P-Asserted-Identity, when a phone calls out', async () => {
    const call = alice.call('+12025550100', { Privacy: 'id' })
    expect(await call.answered()).to.equal(200)
    await call.hangUp()
    await phones.lastCall()
    const invite = { text: await invited() }
    expect(header(invite, 'From')).to.match(/^"Anonymous" <sip:anonymous@anonymous\.invalid>/)
    expect(header(invite, 'Privacy')).to.equal('id')
    expect(header(invite, 'P-Asserted-Identity')).to.match(/^<sip:\+12025550199@/)
    expect(invite.text.replace(/^P-Asserted-Identity:.*$/m, '')).not.to.include('2025550199')
  })

  it('are shown when a phone asks for nothing', async () => {
    const call = alice.call('+12025550100', { Privacy: 'none' })
    expect(await call.answered()).to.equal(200)
    await call.hangUp()
    await phones.lastCall()
    const invite = { text: await invited() }
    expect(header(invite, 'From')).to.match(/<sip:\+12025550199@/)
    expect(header(invite, 'Privacy')).to.equal(undefined)
  })
})
