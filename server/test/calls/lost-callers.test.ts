/** Callers who hear it ring when their switch dies. */
import { expect } from 'chai'
import { ActionsBench } from '../support/actions-bench.js'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'

describe('a caller who is not answered when the switch crashes', function () {
  this.timeout(90_000)
  let bench: ActionsBench
  let from: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await ActionsBench.start({ credit: 10 })
    ;({ from } = await bench.operator({ onCall: 'ring' }))
  })
  after(async () => bench?.stop())

  it('is refused as soon as the call has ended, and need not listen to the ringing any longer', async () => {
    const to = { phone_number: '+12025550106', from }
    const { dialog } = await bench.ring([{ id: 'out', type: 'to_operator', params: to }])
    await dialog.heard(180)
    await bench.calls.appliance.crashSwitch()
    const statuses = await eventually(
      async () => dialog.statuses,
      (seen) => seen.some((status) => status >= 200),
      { what: 'refusal', withinMs: 30_000 },
    )
    expect(statuses.at(-1)).to.equal(503)
  })
})
