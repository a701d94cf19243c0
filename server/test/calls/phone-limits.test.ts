/** What is refused to phones against toll fraud, as it is seen at the wire. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type Account, PhoneBench } from '../support/phone-bench.js'
import type { Telephone } from '../support/telephone.js'

describe('limits of phones on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let alice: Telephone
  let carol: Telephone
  let aliceAccount: Account

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    aliceAccount = await phones.account('alice', '12025550199')
    alice = await phones.phone(aliceAccount)
    carol = await phones.phone(await phones.account('carol', '12025550199'))
    await phones.phone(await phones.account('bob'))
  })
  after(async () => phones?.stop())

  const allow = async (limits: object) => {
    const { appliance, workspace } = phones.bench
    const { status } = await appliance.operator.patch(`/workspaces/${workspace.id}`, limits)
    expect(status).to.equal(200)
  }
  const noneLives = async () =>
    eventually(
      async () => (await phones.api.get('/profile')).body.counts.live_calls as number,
      (live) => live === 0,
      { what: 'no live call' },
    )
  afterEach(noneLives)

  it('answer 486 to one call too many of the workspace, and write it down', async () => {
    await allow({ max_concurrent_calls: 1 })
    const bridge = alice.call('bob')
    expect(await bridge.answered()).to.equal(200)
    expect(await carol.call('bob').answered()).to.equal(486)
    const refused = await phones.lastCall()
    expect(refused).to.include({ status: 'busy', sip_code: 486, hangup_cause: 'USER_BUSY', duration: 0 })
    expect(refused.legs.map(({ role, hangup_cause }) => [role, hangup_cause])).to.deep.equal([
      ['caller', 'USER_BUSY'],
    ])
    const timeline = await phones.bench.timeline(refused.call_id)
    expect(timeline.map(({ event }) => event)).to.deep.equal(['call.created', 'call.ended'])
    await bridge.hangUp()
    await noneLives()
    const next = carol.call('bob')
    expect(await next.answered(), 'the place is free again').to.equal(200)
    await next.hangUp()
    await allow({ max_concurrent_calls: null })
  })

  it('answer 486 to one call too many of a SIP account, while others call', async () => {
    const set = async (max_concurrent_calls: number | null) =>
      phones.api.patch(`/sip-accounts/${aliceAccount.id}`, { max_concurrent_calls })
    expect((await set(1)).body.max_concurrent_calls).to.equal(1)
    const bridge = alice.call('bob')
    expect(await bridge.answered()).to.equal(200)
    expect(await alice.call('carol').answered()).to.equal(486)
    const other = carol.call('bob')
    expect(await other.answered()).to.equal(200)
    await Promise.all([bridge.hangUp(), other.hangUp()])
    await noneLives()
    const next = alice.call('carol')
    expect(await next.answered(), 'the place is free again').to.equal(200)
    await next.hangUp()
    await set(null)
  })

  it('answer 503 to too many calls in a second', async () => {
    await allow({ max_calls_per_second: 1 })
    const before = await phones.callsInAll()
    const calls = Array.from({ length: 6 }, () => alice.call('bob'))
    const statuses = await Promise.all(calls.map(async (call) => call.answered()))
    expect(statuses).to.include.members([200, 503])
    const answered = calls.filter((_, index) => statuses[index] === 200)
    await Promise.all(answered.map(async (call) => call.hangUp()))
    expect(statuses.filter((status) => status !== 200).every((status) => status === 503)).to.equal(true)
    expect((await phones.callsInAll()) - before, 'those refused leave no call').to.equal(answered.length)
    await allow({ max_calls_per_second: null })
  })

  it('answer 403 to countries that may not be called', async () => {
    await allow({ allowed_countries: ['US'] })
    for (const number of ['+442071838750', '011442071838750', '18765550100']) {
      expect(await alice.call(number).answered(), number).to.equal(403)
      expect(await phones.lastCall()).to.include({ sip_code: 403, hangup_cause: 'OUTGOING_CALL_BARRED' })
    }
    const call = alice.call('+12025550100')
    expect(await call.answered()).to.equal(200)
    await call.hangUp()
    await allow({ allowed_countries: null })
  })
})
