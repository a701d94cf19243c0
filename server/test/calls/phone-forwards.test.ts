/** Phones that forward their calls by their own key (302), through the real edge and the real switch. */
import { expect } from 'chai'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench } from '../support/inbound-bench.js'
import { type Account, PhoneBench } from '../support/phone-bench.js'
import type { Telephone } from '../support/telephone.js'

describe('calls to phones that forward them', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let inbound: InboundBench
  let alice: Telephone
  let desk: Telephone
  let other: Telephone
  let account: Account
  let extension: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    inbound = InboundBench.on(phones.bench)
    account = await phones.account('desk1')
    extension = await phones.extension('101', account)
    const second = await phones.account('desk2')
    await phones.extension('102', second)
    desk = await phones.phone(account)
    other = await phones.phone(second)
    alice = await phones.phone(await phones.account('alice'))
    await inbound.runs([{ id: 'ring', type: 'go_to_extension', params: { extension_id: extension } }])
  })
  beforeEach(() => {
    desk.onCall = 302
    other.onCall = 'answer'
    other.says = []
  })
  after(async () => phones?.stop())

  const legs = async () => (await phones.lastCall()).legs.map(({ uri, sip_code }) => `${uri} ${sip_code}`)
  const sendsTo = (contact: string) => {
    desk.says = [`Contact: ${contact}`, 'Diversion: <sip:desk1@x>;reason=unconditional']
  }

  for (const target of ['102', 'desk2', '%3102']) {
    it(`go on to another phone of the workspace: ${target}`, async () => {
      sendsTo(`<sip:${target}@${account.domain}>`)
      const had = other.incoming.length
      const call = await inbound.answeredCall(await inbound.caller())
      const rung = await other.called(had)
      await rung.up()
      await call.hangUp()
      await rung.over()
      expect((await legs()).slice(-2)).to.deep.equal([
        `sip:desk1@${account.domain} 302`,
        `sip:desk2@${account.domain} null`,
      ])
    })
  }

  it('go on for a phone that calls, too', async () => {
    sendsTo(`<sip:102@${account.domain}>`)
    const had = other.incoming.length
    const call = alice.call('101')
    expect(await call.answered()).to.equal(200)
    const rung = await other.called(had)
    await rung.up()
    await call.hangUp()
    await rung.over()
    expect(await phones.lastCall()).to.include({ status: 'completed' })
  })

  for (const [what, contact] of [
    ['a number outside', '<sip:+12125550112@DOMAIN>'],
    ['another domain', '<sip:102@elsewhere.example>'],
    ['itself', '<sip:101@DOMAIN>'],
    ['an extension that does not exist', '<sip:199@DOMAIN>'],
  ] as const) {
    it(`are answered 480 when they lead to ${what}`, async () => {
      sendsTo(contact.replace('DOMAIN', account.domain))
      const had = other.incoming.length
      expect(await (await inbound.caller()).call(inbound.number).answered()).to.equal(480)
      expect(await alice.call('101').answered()).to.equal(480)
      expect(other.incoming.length).to.equal(had)
      expect((await legs()).at(-1)).to.equal(`sip:desk1@${account.domain} 302`)
    })
  }

  it('tell the caller what the last phone says', async () => {
    sendsTo(`<sip:102@${account.domain}>`)
    other.onCall = 486
    expect(await alice.call('101').answered()).to.equal(486)
    for (const status of [603, 410]) {
      desk.onCall = status
      expect(await alice.call('101').answered()).to.equal(status)
    }
  })

  it('end when two phones forward to each other', async () => {
    sendsTo(`<sip:102@${account.domain}>`)
    other.onCall = 302
    other.says = [`Contact: <sip:101@${account.domain}>`]
    expect(await alice.call('101').answered()).to.equal(480)
  })
})
