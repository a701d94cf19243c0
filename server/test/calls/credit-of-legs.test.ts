/** Credit for the further legs of a call, which one after another or together may cost more than the call itself. */
import { expect } from 'chai'
import { query } from '../api/database.js'
import { eventually } from '../support/api-client.js'
import { availableSwitches } from '../support/appliance.js'
import { multipart } from '../support/audio-files.js'
import { CallBench } from '../support/call-bench.js'

/** It answers and hangs up itself after two seconds, which cost a dollar. */
const dear = { action: 'to_operator', params: { phone_number: '+12025550106' } }

for (const kind of await availableSwitches()) {
  describe(`credit for the further legs of a call on the ${kind}`, function () {
    this.timeout(90_000)
    let bench: CallBench
    let workspace: string

    before(async () => {
      bench = await CallBench.start(kind, {
        credit: 2.5,
        settings: { JACKFIELD_CALLS_CREDIT_HELD_SECONDS: '4' },
      })
      workspace = `/workspaces/${bench.workspace.id}`
      const { operator } = bench.appliance
      const { id } = (await operator.post('/rate-decks', { title: 'Retail' })).body
      const csv = 'prefix,price\n12025550100,0\n12025550106,30\n'
      const raw = multipart({}, { name: 'rates.csv', content: Buffer.from(csv), type: 'text/csv' })
      await operator.request('PUT', `/rate-decks/${id}/rates`, { raw })
      await operator.patch(workspace, { rate_deck_id: id })
      const rate = async () => operator.get(`${workspace}/rates/+12025550106`)
      await eventually(rate, ({ body }) => body.rate !== null, { what: 'the deck' })
    })
    after(async () => bench.stop())

    const outcomes = async (id: string) => {
      const { data } = (await bench.api.get(`/calls/${id}/events`)).body
      return data
        .filter(({ event }: { event: string }) => event === 'call.action')
        .map(({ details }: { details: { outcome: string } }) => details.outcome)
    }

    it('is used up by legs one after another, what they have cost before included', async () => {
      const record = await bench.ended(await bench.call('+12025550100', Array(8).fill(dear)), 60_000)
      // Ended in the middle of a leg, or out of actions when none of the others is dialled.
      expect(record.hangup_cause).to.be.oneOf(['OUTGOING_CALL_BARRED', 'NORMAL_CLEARING'])
      // A slow machine may end the last of them a second late.
      expect(await bench.balance()).to.be.within(-0.6, 0.6)
      expect(record.legs.length).to.be.within(2, 4)
      const [sum] = await query(
        bench.appliance,
        'SELECT cost, credit_held, (SELECT SUM(cost) FROM call_legs WHERE call_id = calls.id) AS legs FROM calls WHERE id = ?',
        [record.call_id],
      )
      expect(Number(sum.cost)).to.be.closeTo(Number(sum.legs), 1e-9)
      expect(Number(sum.credit_held)).to.equal(0)
    })

    it('is not spent on them beyond a limit of spending, though the call itself costs nothing', async () => {
      const { operator } = bench.appliance
      const { status } = await operator.post(`${workspace}/credit`, { amount: 100 })
      expect(status).to.equal(201)
      await operator.patch(workspace, { max_spend_per_hour: 4 })
      const record = await bench.ended(await bench.call('+12025550100', Array(6).fill(dear)), 60_000)
      const seen = await outcomes(record.call_id)
      expect(seen.at(0)).to.equal('completed')
      expect(seen.at(-1)).to.equal('failed')
      expect(record.hangup_cause).to.equal('NORMAL_CLEARING')
      // What was spent before is within the same hour, as a rule.
      expect(record.cost).to.be.within(1, 5)
    })
  })
}
