/** What a carrier is answered when a workspace has as many calls as it may. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench } from '../support/inbound-bench.js'
import type { Telephone } from '../support/telephone.js'

describe('limits of inbound calls on the freeswitch', function () {
  this.timeout(60_000)
  let bench: InboundBench
  let phone: Telephone

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await InboundBench.start()
    const params = { text: 'Press one.', timeout: 60 }
    await bench.runs([
      { id: 'wait', type: 'menu', params, next: { '1': 'bye' } },
      { id: 'bye', type: 'hangup' },
    ])
    phone = await bench.caller()
  })
  after(async () => bench?.stop())

  const allow = async (limits: object) => {
    const { appliance, workspace } = bench.bench
    expect((await appliance.operator.patch(`/workspaces/${workspace.id}`, limits)).status).to.equal(200)
  }
  const calls = async () => (await bench.api.get('/calls?limit=1')).body.meta.total as number
  const noneLives = async () =>
    eventually(
      async () => (await bench.api.get('/profile')).body.counts.live_calls as number,
      (live) => live === 0,
      { what: 'no live call' },
    )

  it('answer 486 to one call too many at once, and write it down', async () => {
    await allow({ max_concurrent_calls: 2 })
    const racers = Array.from({ length: 6 }, () => phone.call(bench.number))
    const statuses = await Promise.all(racers.map(async (call) => call.answered()))
    expect([...statuses].sort()).to.deep.equal([200, 200, 486, 486, 486, 486])
    const { data } = (await bench.api.get('/calls')).body
    const refused = (data as Record<string, unknown>[]).filter(({ status }) => status === 'busy')
    expect(refused).to.have.length(4)
    for (const call of refused) {
      expect(call).to.include({ direction: 'inbound', sip_code: 486, hangup_cause: 'USER_BUSY', cost: 0 })
    }
    await Promise.all(
      racers.map(async (call, index) => (statuses[index] === 200 ? call.hangUp() : undefined)),
    )
    await noneLives()
    const next = await bench.answeredCall(phone)
    await next.hangUp()
    await noneLives()
    await allow({ max_concurrent_calls: null })
  })

  it('answer 503 to too many calls in a second', async () => {
    await allow({ max_calls_per_second: 1 })
    const before = await calls()
    const racers = Array.from({ length: 6 }, () => phone.call(bench.number))
    const statuses = await Promise.all(racers.map(async (call) => call.answered()))
    expect(statuses).to.include.members([200, 503])
    const answered = racers.filter((_, index) => statuses[index] === 200)
    expect(statuses.filter((status) => status === 503)).to.have.length(racers.length - answered.length)
    for (const call of answered) await call.hangUp()
    expect((await calls()) - before, 'those refused leave no call').to.equal(answered.length)
    await noneLives()
    await allow({ max_calls_per_second: null })
  })

  it('leave numbers of all countries free to call in', async () => {
    await allow({ allowed_countries: [] })
    const foreigner = await bench.caller({ username: '+442071838750' })
    const dialog = await bench.answeredCall(foreigner)
    await dialog.hangUp()
    expect(await bench.lastCall()).to.include({ status: 'completed', from: '+442071838750' })
    await allow({ allowed_countries: null })
  })
})
