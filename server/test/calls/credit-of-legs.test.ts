/** Credit for the further legs of a call, which one after another or together may cost more than the call itself. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { query } from '../api/database.js'
import { eventually } from '../support/api-client.js'
import { realestSwitch } from '../support/appliance.js'
import { multipart } from '../support/audio-files.js'
import { CallBench } from '../support/call-bench.js'

const cheap = 'prefix,price\n12025550100,0\n12025550101,30\n12025550106,30\n'

/** It answers and hangs up itself after two seconds, which cost a dollar. */
const dear = { action: 'to_operator', params: { phone_number: '+12025550106' } }

for (const kind of [await realestSwitch()]) {
  describe(`credit for the further legs of a call on the ${kind}`, function () {
    this.timeout(90_000)
    let bench: CallBench
    let workspace: string
    let deck: string

    before(async () => {
      bench = await CallBench.start(kind, {
        credit: 2.5,
        settings: { JACKFIELD_CALLS_CREDIT_HELD_SECONDS: '4' },
      })
      workspace = `/workspaces/${bench.workspace.id}`
      const { operator } = bench.appliance
      const { id } = (await operator.post('/rate-decks', { title: 'Retail' })).body
      deck = id as string
      await rated(cheap)
      await operator.patch(workspace, { rate_deck_id: id })
      const rate = async () => operator.get(`${workspace}/rates/+12025550106`)
      await eventually(rate, ({ body }) => body.rate !== null, { what: 'the deck' })
    })
    afterEach(async () => {
      await bench.appliance.operator.patch(workspace, {
        max_spend_per_hour: null,
        max_calls_per_second: null,
      })
    })
    after(async () => bench?.stop())

    const rated = async (csv: string) => {
      const raw = multipart({}, { name: 'rates.csv', content: Buffer.from(csv), type: 'text/csv' })
      const { status } = await bench.appliance.operator.request('PUT', `/rate-decks/${deck}/rates`, { raw })
      expect(status).to.equal(200)
    }

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
      expect(record.cost, JSON.stringify(record.legs)).to.be.within(1, 5)
    })

    it('is not spent faster than calls may begin: each number that it dials counts as one', async () => {
      const { operator } = bench.appliance
      const busy = Array(6).fill({ action: 'to_operator', params: { phone_number: '+12025550101' } })
      await operator.patch(workspace, { max_calls_per_second: 1 })
      // Other servers, and this one, know of it within two seconds.
      await sleep(2_500)
      const slow = await bench.ended(await bench.call('+12025550100', busy), 60_000)
      expect(await outcomes(slow.call_id)).to.include('failed')
      await operator.patch(workspace, { max_calls_per_second: null })
      await sleep(2_500)
      const fast = await bench.ended(await bench.call('+12025550100', busy), 60_000)
      expect(new Set(await outcomes(fast.call_id))).to.deep.equal(new Set(['busy']))
    })

    it('is held also for a call that has come to cost something before it was dialled', async () => {
      const cut = bench.appliance.cutLink(3_000)
      const id = await bench.call('+12025550100', [
        { action: 'tts', params: { text: 'one two '.repeat(60) } },
      ])
      await rated('prefix,price\n12025550100,30\n')
      await cut
      await bench.reaches(id, 'started', 30_000)
      const [{ credit_held }] = await query(bench.appliance, 'SELECT credit_held FROM calls WHERE id = ?', [
        id,
      ])
      expect(Number(credit_held)).to.be.at.least(2)
      await bench.api.post(`/calls/${id}/hangup`)
      await bench.ended(id)
      await rated(cheap)
    })
  })
}
