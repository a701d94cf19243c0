/** Credit that calls hold while they live. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { type SwitchKind, realestSwitch } from '../support/appliance.js'
import { query } from '../api/database.js'
import { CallBench, feePerMinute } from '../support/call-bench.js'
import { startMariadb } from '../support/mariadb.js'

const long = {
  action: 'tts',
  params: { text: 'one two three four five six seven eight nine ten '.repeat(8) },
}

interface Credit {
  balance: number
  held: number
  available: number
}

for (const kind of [await realestSwitch()]) {
  describe(`credit that calls hold on the ${kind}`, function () {
    this.timeout(60_000)
    let bench: CallBench

    before(async () => {
      bench = await CallBench.start(kind, { credit: 10 })
    })
    after(async () => bench?.stop())

    const credit = async () => (await bench.api.get('/credit')).body as Credit
    const price = async (usd: number) =>
      bench.appliance.operator.patch(`/workspaces/${bench.workspace.id}/phone-numbers/${bench.numberId}`, {
        fee_per_mins_call: usd,
      })

    it('is not spent yet, cannot be spent by others, and is let go when the call is charged', async () => {
      const id = await bench.call('+12025550100', [long])
      await bench.reaches(id, 'started')
      expect(await credit()).to.include({ balance: 10, held: feePerMinute, available: 10 - feePerMinute })
      const { body } = await bench.appliance.operator.get(`/workspaces/${bench.workspace.id}`)
      expect(body).to.include({ credit_balance: 10, credit_held: feePerMinute })
      expect((await bench.api.get('/profile')).body).to.include({ credit_available: 10 - feePerMinute })
      await bench.api.post(`/calls/${id}/hangup`)
      const { cost } = await bench.ended(id)
      const left = Math.round((10 - cost) * 1e6) / 1e6
      expect(await credit()).to.include({ balance: left, held: 0, available: left })
    })

    it('is let go when nobody answers', async () => {
      const before = await credit()
      await bench.ended(await bench.call('+12025550101', [long]))
      expect(await credit()).to.include({ balance: before.balance, held: 0 })
    })

    it('is let go after the server died in the middle of the call', async () => {
      const before = await credit()
      const id = await bench.call('+12025550106', [long])
      await bench.reaches(id, 'started')
      expect((await credit()).held).to.equal(feePerMinute)
      await bench.appliance.killServer()
      await bench.appliance.startServer()
      const { cost } = await bench.ended(id)
      expect(cost).to.be.above(0)
      const after = await credit()
      expect(after.held).to.equal(0)
      expect(after.balance).to.be.closeTo(before.balance - cost, 1e-9)
    })

    it('admits no more calls at once than it pays for, however they race', async () => {
      // A first period costs 3 USD, the least 0.15.
      await price(3)
      const asked = await Promise.all(
        Array.from({ length: 20 }, async () =>
          bench.api.post('/calls/make', { to: { number: '+12025550102' } }),
        ),
      )
      const made = asked.filter(({ status }) => status === 201)
      expect(new Set(asked.map(({ status }) => status))).to.deep.equal(new Set([201, 403]))
      const refused = asked.find(({ status }) => status === 403)
      expect(refused?.body.message).to.equal('The workspace has no credit left for this call')
      const { held, balance } = await credit()
      expect(held).to.be.at.most(balance)
      const rows = await query(bench.appliance, 'SELECT SUM(credit_held) AS held FROM calls WHERE live = 1')
      expect(Number(rows[0].held)).to.equal(held)
      for (const { body } of made) await bench.api.post(`/calls/${body.data.call_id}/hangup`)
      for (const { body } of made) await bench.ended(body.data.call_id as string)
      expect((await credit()).held).to.equal(0)
      await price(feePerMinute)
    })
  })

  describe(`credit that is used up on the ${kind}`, function () {
    this.timeout(60_000)

    it('ends the calls that use it up together when it is', async () => {
      const { bench, stop } = await poorBench(kind, 2.2)
      try {
        const ids = await Promise.all([1, 2, 3].map(async () => bench.call('+12025550100', [long])))
        for (const id of ids) {
          expect((await bench.ended(id, 30_000)).hangup_cause).to.equal('OUTGOING_CALL_BARRED')
        }
        const { balance, held } = (await bench.api.get('/credit')).body as Credit
        expect(held).to.equal(0)
        // A slow machine may end each of them a second late.
        expect(balance).to.be.within(-0.3, 0.6)
      } finally {
        await stop()
      }
    })
  })
}

describe('credit while the database is away, on the sandbox', function () {
  this.timeout(120_000)

  it('is not taken to be used up: calls go on for longer than what they hold lasts', async () => {
    const mariadb = await startMariadb()
    const settings = { JACKFIELD_CALLS_CREDIT_HELD_SECONDS: '3' }
    const bench = await CallBench.start('sandbox', { credit: 1_000, mariadb, settings })
    try {
      const id = await bench.call('+12025550100', [long])
      await bench.reaches(id, 'started')
      await mariadb.pause()
      await sleep(8_000)
      await mariadb.resume()
      const { status } = await bench.api.get(`/calls/${id}`)
      expect(status).to.equal(200)
      await bench.api.post(`/calls/${id}/hangup`)
      expect(await bench.ended(id, 30_000)).to.include({
        status: 'completed',
        hangup_cause: 'NORMAL_CLEARING',
      })
    } finally {
      await mariadb.resume().catch(() => undefined)
      await bench.stop()
      await mariadb.stop()
    }
  })
})

/** A second costs 0.1 USD, and six of them are held ahead. */
async function poorBench(kind: SwitchKind, credit: number) {
  const settings = { JACKFIELD_CALLS_CREDIT_HELD_SECONDS: '6' }
  const bench = await CallBench.start(kind, { credit, settings })
  const path = `/workspaces/${bench.workspace.id}/phone-numbers/${bench.numberId}`
  await bench.appliance.operator.patch(path, { fee_per_mins_call: 6 })
  return { bench, stop: async () => bench.stop() }
}
