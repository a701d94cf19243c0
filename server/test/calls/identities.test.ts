/** Names and numbers through the real switch: as they were written, and from nobody who has no say in them. */
import { expect } from 'chai'
import { InboundBench } from '../support/inbound-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type Account, PhoneBench } from '../support/phone-bench.js'
import { header } from '../support/sip-message.js'
import type { Telephone } from '../support/telephone.js'

const names = ['20%41 off', '100 %', 'pct %0d%0aX-Evil: 1', '%250d%2525', 'a%22%3e%00']
const evil = 'Evil%0d%0aX-Evil%3a 1%0d%0aContact%3a %3csip%3aevil@198.51.100.7%3e%0d%0aZ%3a '
const claims = [
  `P-Asserted-Identity: "${evil}" <sip:911@bank.example>`,
  `Remote-Party-ID: "${evil}" <sip:911@bank.example>;party=called`,
  `X-FS-Display-Name: ${evil}`,
  'X-FS-Display-Number: 911',
]

describe('identities on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let inbound: InboundBench
  let alice: Telephone
  let bob: Telephone
  let bobAccount: Account
  let desk: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    inbound = InboundBench.on(phones.bench)
    bobAccount = await phones.account('bob')
    desk = await phones.extension('102', bobAccount)
    bob = await phones.phone(bobAccount)
    alice = await phones.phone(await phones.account('alice'))
  })
  after(async () => phones?.stop())

  const shownName = (text: string) => header({ text }, 'From')?.replace(/ <sip:.*$/, '')

  for (const name of names) {
    it(`show the name ${JSON.stringify(name)} to a carrier as the API has it`, async () => {
      const { bench } = phones
      const from = { number: '+12025550199', name }
      await bench.ended(await bench.call('+12025550100', [{ action: 'hangup' }], { from }))
      const invite = (await bench.carrier!.messages()).findLast(
        ({ method, direction }) => method === 'INVITE' && direction === 'received',
      )!
      expect(shownName(invite.text)).to.equal(`"${name}"`)
      expect(header(invite, 'X-Evil')).to.equal(undefined)
    })
  }

  it('show a phone the caller’s name as the carrier has it, without what hides in it', async () => {
    await inbound.runs([{ id: 'ring', type: 'go_to_extension', params: { extension_id: desk } }])
    for (const [name, shown] of [
      ['20%41 off', '"20%41 off"'],
      ['100 %', '"100 %"'],
      ['%250d%250aX-Evil: 1', '"%250d%250aX-Evil: 1"'],
    ] as const) {
      const had = bob.incoming.length
      const caller = await inbound.caller({ displayName: name })
      const call = await inbound.answeredCall(caller)
      const rung = await bob.called(had)
      expect(shownName(rung.received[0]!)).to.equal(shown)
      await call.hangUp()
      await rung.over()
      const { from_name } = (await inbound.api.get(`/calls/${await inbound.lastCallId()}`)).body as {
        from_name?: string
      }
      if (from_name !== undefined) expect(from_name).to.equal(name)
    }
  })

  it('tell a caller nothing that the called phone says of itself, and never “Outbound Call”', async () => {
    bob.says = claims
    try {
      const had = bob.incoming.length
      const call = alice.call('bob', { 'P-Asserted-Identity': '"Bank" <sip:911@bank.example>' })
      expect(await call.answered()).to.equal(200)
      const rung = await bob.called(had)
      await rung.up()
      for (const [phone, dialog] of [
        [alice, call],
        [bob, rung],
      ] as const)
        for (const method of ['UPDATE', 'INFO']) await phone.ask(dialog, method, claims)
      await call.hangUp()
      await rung.over()
      const heard = [...call.received, ...rung.received].join('\n')
      expect(heard).not.to.match(/Evil|sip:911|: 911|"Bank"|Outbound Call/)
      expect(heard).not.to.match(/^(P-Asserted-Identity: (?!<sip:alice@)|Remote-Party-ID|X-)/im)
      expect(call.received.filter((text) => /^(UPDATE|INFO) /.test(text))).to.deep.equal([])
      expect(rung.received.filter((text) => /^(UPDATE|INFO) /.test(text))).to.deep.equal([])
    } finally {
      bob.says = []
    }
  })

  it('run no command of the switch that a phone sends in an INFO', async () => {
    const had = bob.incoming.length
    const call = alice.call('bob')
    expect(await call.answered()).to.equal(200)
    const rung = await bob.called(had)
    await rung.up()
    for (const type of ['freeswitch/api-request', 'freeswitch/data', 'application/x-freeswitch'])
      await alice.ask(call, 'INFO', [`Content-Type: ${type}`], 'hupall:NORMAL_CLEARING')
    // The switch answers what comes after it in the same dialog: both ends are still up.
    expect(await alice.ask(call, 'OPTIONS', [])).to.be.below(500)
    expect(call.received.concat(rung.received).filter((text) => text.startsWith('BYE '))).to.deep.equal([])
    await call.hangUp()
    await rung.over()
  })
})
