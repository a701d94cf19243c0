/** Session timers (RFC 4028) as phones and carriers ask for them, on a real FreeSWITCH and Kamailio. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { PhoneBench } from '../support/phone-bench.js'
import { header } from '../support/sip-message.js'
import type { Telephone } from '../support/telephone.js'

describe('session timers on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let alice: Telephone
  let bob: Telephone

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    alice = await phones.phone(await phones.account('alice'))
    bob = await phones.phone(await phones.account('bob'))
  })
  after(async () => phones?.stop())

  /** What the caller's INVITE was answered. */
  const answerTo = async (more: Record<string, string>) => {
    const call = alice.call('bob', more)
    const status = await call.answered()
    const text = call.received.findLast((one) => one.startsWith(`SIP/2.0 ${status}`)) ?? ''
    return { call, status, text, of: (name: string) => header({ text }, name) }
  }

  const asked: [more: Record<string, string>, expires: string | undefined][] = [
    [{ 'Session-Expires': '1800', Supported: 'timer' }, '1800;refresher=uac'],
    [{ 'Session-Expires': '1800;refresher=uas', Supported: 'timer', Require: 'timer' }, '1800;refresher=uas'],
    [{ 'Session-Expires': '90', 'Min-SE': '90', Supported: 'timer' }, '90;refresher=uac'],
    // A caller that knows no timer: a proxy asks, and we refresh.
    [{ 'Session-Expires': '1800' }, '1800;refresher=uas'],
    [{ Supported: 'timer', Require: 'timer' }, undefined],
    [{ Supported: 'timer' }, undefined],
    [{}, undefined],
  ]
  for (const [more, expires] of asked)
    it(`are answered ${expires ?? 'by none'}: ${JSON.stringify(more)}`, async () => {
      const had = bob.incoming.length
      const { call, status, of } = await answerTo(more)
      expect(status).to.equal(200)
      expect(of('Session-Expires')).to.equal(expires)
      const invite = { text: bob.incoming[had]?.received[0] ?? '' }
      expect(header(invite, 'Session-Expires'), 'we ask for none').to.equal(undefined)
      expect(header(invite, 'Supported')).to.include('timer')
      await call.hangUp()
    })

  it('shorter than 90 s are refused, with what would do', async () => {
    const { status, of } = await answerTo({ 'Session-Expires': '30', Supported: 'timer' })
    expect(status).to.equal(422)
    expect(of('Min-SE')).to.equal('90')
  })

  it('are kept by refreshes, theirs and ours, and end a call whose caller refreshes no more', async () => {
    const theirs = await answerTo({ 'Session-Expires': '90;refresher=uac', Supported: 'timer' })
    const silent = await answerTo({ 'Session-Expires': '90;refresher=uac', Supported: 'timer' })
    const ours = await answerTo({ 'Session-Expires': '90' })
    const refresh = ['Session-Expires: 90;refresher=uac', 'Supported: timer']
    const began = Date.now()
    const timer = setInterval(() => void alice.ask(theirs.call, 'UPDATE', refresh), 40_000)
    try {
      await eventually(
        async () => silent.call.state,
        (state) => state === 'ended',
        { what: 'the end of the call without refreshes', withinMs: 95_000 },
      )
      expect(Date.now() - began).to.be.within(55_000, 95_000)
      expect(theirs.call.state).to.equal('up')
      expect(ours.call.state).to.equal('up')
      expect(ours.call.received.some((text) => /^(INVITE|UPDATE) /.test(text))).to.equal(true)
      for (const { call } of [theirs, ours]) await call.hangUp()
    } finally {
      clearInterval(timer)
    }
  }).timeout(120_000)
})
