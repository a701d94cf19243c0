/** What calls cost by the rates of a deck. */
import { expect } from 'chai'
import { billed } from '../support/billed.js'
import { realestSwitch } from '../support/appliance.js'
import { multipart } from '../support/audio-files.js'
import { eventually } from '../support/api-client.js'
import { CallBench, feePerMinute } from '../support/call-bench.js'
import { query } from '../api/database.js'

const long = {
  action: 'tts',
  params: { text: 'one two three four five six seven eight nine ten '.repeat(4) },
}

for (const kind of [await realestSwitch()]) {
  describe(`rates of calls on the ${kind}`, function () {
    this.timeout(60_000)
    let bench: CallBench
    let deck: string

    before(async () => {
      bench = await CallBench.start(kind, {
        settings: { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8' },
      })
      deck = (await bench.appliance.operator.post('/rate-decks', { title: 'Retail' })).body.id as string
    })
    after(async () => bench?.stop())

    const rated = async (csv: string) => {
      const raw = multipart({}, { name: 'rates.csv', content: Buffer.from(csv), type: 'text/csv' })
      const { status, body } = await bench.appliance.operator.request('PUT', `/rate-decks/${deck}/rates`, {
        raw,
      })
      expect(status, JSON.stringify(body)).to.equal(200)
    }
    const assign = async () => {
      const path = `/workspaces/${bench.workspace.id}`
      await bench.appliance.operator.patch(path, { rate_deck_id: deck })
      const rate = async () => bench.appliance.operator.get(`${path}/rates/+12025550100`)
      await eventually(rate, ({ body }) => body.rate !== null, { what: 'the deck' })
    }

    it('hold from the beginning of a call to its end, whatever becomes of the deck meanwhile', async () => {
      await rated('prefix,price,connection_fee,minimum_seconds,increment_seconds\n1202555,0.9,0.05,30,6\n')
      await assign()
      const before = await bench.balance()
      const id = await bench.call('+12025550100', [long])
      await bench.reaches(id, 'started')
      await rated('prefix,price\n1202555,99\n')
      await bench.api.post(`/calls/${id}/hangup`)
      const record = await bench.ended(id)
      expect(record.duration).to.be.below(30)
      expect(record.cost).to.equal(0.5)
      expect(await bench.balance()).to.be.closeTo(before - 0.5, 1e-9)
      const [leg] = await query(bench.appliance, 'SELECT * FROM call_legs WHERE call_id = ?', [id])
      expect(leg).to.include({ rate_deck_id: deck, rate_prefix: '1202555', minimum_seconds: 30 })
    })

    it('leave the fee of the number where there is none, and cost nothing without an answer', async () => {
      await rated('prefix,price,connection_fee\n44,9,9\n12025550101,0.5,0.5\n1202555010,0.25,\n')
      const busy = await bench.ended(await bench.call('+12025550101', [{ action: 'hangup' }]))
      expect(busy).to.include({ status: 'busy', cost: 0 })
      await rated('prefix,price\n44,9\n')
      const record = await bench.ended(await bench.call('+12025550100', [{ action: 'hangup' }]))
      expect(record.cost).to.be.closeTo((billed(record) * feePerMinute) / 60, 1e-6)
    })

    it('keep actions from a prefix that is blocked, also behind a SIP URI', async () => {
      await rated('prefix,price,is_blocked\n12025550106,0,true\n')
      for (const phone_number of ['+12025550106', 'sip:+12025550106@127.0.0.1:5099']) {
        const id = await bench.call('+12025550100', [{ action: 'to_operator', params: { phone_number } }])
        const record = await bench.ended(id)
        expect(record.legs, phone_number).to.have.length(1)
        const { data } = (await bench.api.get(`/calls/${id}/events`)).body
        const action = data.find(({ event }: { event: string }) => event === 'call.action')
        expect(action.details, JSON.stringify(data)).to.include({ outcome: 'failed' })
      }
    })
  })
}
