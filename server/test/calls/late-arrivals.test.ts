/** Calls that a switch takes up when their callers have long been refused, as it stood still. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench } from '../support/inbound-bench.js'

describe('calls that come to a switch that stands still', function () {
  this.timeout(90_000)
  let inbound: InboundBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    inbound = await InboundBench.start()
    await inbound.runs([{ id: 'message', type: 'voicemail', params: { max_duration: 30 } }])
  })
  after(async () => inbound?.stop())

  const callIds = async () =>
    ((await inbound.api.get('/calls?limit=50')).body.data as { call_id: string }[]).map(
      ({ call_id }) => call_id,
    )

  it('are not begun once their callers were refused; those that still wait are', async () => {
    const { pid } = inbound.bench.appliance.freeswitch!
    const phone = await inbound.caller()
    const early = await inbound.answeredCall(phone)
    phone.bye(early)
    const known = await callIds()
    process.kill(pid, 'SIGSTOP')
    const refused = []
    try {
      for (let count = 0; count < 5; count += 1) {
        refused.push(phone.call(inbound.number))
        await sleep(300)
      }
      for (const dialog of refused) expect(await dialog.answered()).to.equal(503)
      // The edge gives this one up three seconds after it was sent: it is late, and wanted.
      const waiting = phone.call(inbound.number)
      await sleep(1_800)
      process.kill(pid, 'SIGCONT')
      expect(await waiting.answered()).to.equal(200)
      phone.bye(waiting)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    const next = await inbound.answeredCall(phone)
    phone.bye(next)
    await eventually(callIds, (ids) => ids.length >= known.length + 2, { what: 'the calls that were wanted' })
    await sleep(2_000)
    expect((await callIds()).length - known.length).to.equal(2)
    expect(inbound.bench.appliance.log).to.contain('the SIP edge has given them up')
  })
})
