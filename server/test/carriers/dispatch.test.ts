import { expect } from 'chai'
import { succeed } from '../api/fixtures.js'
import { Smsc } from '../support/smsc.js'
import { TextBench } from '../support/text-bench.js'

describe('dispatch', () => {
  let bench: TextBench
  let smsc: Smsc
  let carrier: string

  before(async () => {
    bench = await TextBench.start({ settings: { JACKFIELD_MESSAGES_FAILOVER_AFTER: '2' } })
    smsc = await Smsc.start()
    carrier = await bench.carrier(smsc.port, { window: 20 })
    await bench.up(carrier)
  })
  after(async () => {
    await bench?.stop()
    await smsc?.stop()
  })
  beforeEach(async () => {
    await smsc.behave({ rules: [], receipts: [], drop: null, answer_delay_ms: 0, bind_status: 0 })
  })

  const submitsOf = (ids: readonly string[], rows: { client_number: string }[]) => {
    const numbers = new Set(rows.map(({ client_number }) => client_number))
    expect(rows).to.have.length(ids.length)
    return smsc.taken.filter(({ to }) => numbers.has(to))
  }

  it('submits what is accepted, once, and each receipt ends its message', async () => {
    await smsc.behave({ receipts: [{ after_ms: [0, 300] }] })
    const ids = await bench.accept(300, carrier)
    const rows = await bench.become(ids, 'delivered')
    const taken = submitsOf(ids, rows)
    expect(taken).to.have.length(300)
    const byNumber = new Map(taken.map(({ to, id }) => [to, id]))
    for (const row of rows) {
      expect(row).to.include({ carrier_id: carrier, carrier_message_id: byNumber.get(row.client_number) })
      expect(Number(row.cost)).to.equal(0.01)
    }
    expect(await bench.query('SELECT * FROM message_queue')).to.deep.equal([])
    expect(await bench.query('SELECT * FROM message_segments')).to.deep.equal([])
  })

  it('takes receipts that are late, double, unknown, or before the answer', async () => {
    const twice = { after_ms: 300, stat: 'DELIVRD' as const }
    await smsc.behave({
      rules: [{ to: '^12', receipts: [{}, twice] }],
      receipts: [
        { ...twice, format: 'tlv' },
        { after_ms: 500, stat: 'UNDELIV', err: '021' },
      ],
      answer_delay_ms: 50,
    })
    await smsc.receipt({ id: '4711', from: '12025550142', to: bench.number })
    const early = await bench.accept(20, carrier, { to: '12125550100' })
    const late = await bench.accept(20, carrier)
    await bench.become(early, 'delivered')
    await bench.become(late, 'delivered')
    await smsc.until(
      'all receipts',
      () => smsc.delivered.filter(({ kind }) => kind === 'receipt').length >= 381,
    )
    expect(smsc.delivered.filter(({ status }) => status !== 0)).to.deep.equal([])
    await bench.become([...early, ...late], 'delivered')
    const unmatched = await bench.query(`SELECT * FROM unmatched_receipts WHERE carrier_message_id = '4711'`)
    expect(unmatched.length).to.be.greaterThan(0)
  })

  it('tells why a message was not delivered', async () => {
    await smsc.behave({ receipts: [{ stat: 'UNDELIV', err: '021' }] })
    const [row] = await bench.become(await bench.accept(1, carrier), 'undelivered')
    expect(row).to.include({ status: 'undelivered', error_code: '021' })
    await smsc.behave({ receipts: [], rules: [{ status: 0x0b }] })
    const [wrong] = await bench.become(await bench.accept(1, carrier), 'failed')
    expect(wrong).to.include({ error_code: '0x0000000B', cost: null })
  })

  it('sends long messages whole: all segments delivered, or one not', async () => {
    await smsc.behave({ receipts: [{ after_ms: [0, 200] }] })
    const body = 'Lorem ipsum dolor sit amet. '.repeat(20)
    const ids = await bench.accept(10, carrier, { body })
    const rows = await bench.become(ids, 'delivered')
    expect(submitsOf(ids, rows)).to.have.length(40)
    const to = '14045550100'
    await smsc.behave({ rules: [{ to, count: 1, receipts: [{ stat: 'UNDELIV', err: '001' }] }] })
    await bench.become(await bench.accept(1, carrier, { body, to }), 'undelivered')
    await bench.eventually(
      async () => bench.query('SELECT 1 FROM message_segments'),
      (left) => left.length === 0,
      'no segments left',
    )
  })

  it('waits where the carrier throttles, and tries again what is refused for a while', async () => {
    await smsc.behave({ per_second: 100, rules: [{ to: '7$', count: 5, status: 0x08 }] })
    const ids = await bench.accept(150, carrier)
    const rows = await bench.become(ids, 'sent')
    expect(submitsOf(ids, rows)).to.have.length(150)
    expect(smsc.submits.some(({ status }) => status === 0x58)).to.equal(true)
    const attempts = smsc.submits.filter(({ status }) => status === 0x08)
    expect(attempts.length).to.be.within(1, 5)
  })

  for (const status of [0x14, 0x58]) {
    it(`lets no handset that is answered 0x${status.toString(16)} hold up the others`, async () => {
      await smsc.behave({ rules: [{ to: '^13035550', status }] })
      const full: string[] = []
      for (let n = 100; n < 112; n++) full.push(...(await bench.accept(1, carrier, { to: `13035550${n}` })))
      const before = smsc.submits.length
      const others = await bench.accept(100, carrier)
      await bench.become(others, 'sent', 15_000)
      const tries = smsc.submits.slice(before).filter(({ to }) => to.startsWith('13035550'))
      expect(tries.length).to.be.lessThan(60)
      for (const { status: state } of await bench.rows(full)) expect(state).to.equal('sending')
      await smsc.behave({ rules: [] })
      await bench.become(full, 'sent')
    })
  }

  it('keeps to the throughput', async () => {
    await bench.change(carrier, { throughput: 40 })
    const before = smsc.connections
    await smsc.until('bind anew', () => smsc.connections > before, 20_000)
    const ids = await bench.accept(80, carrier)
    const times = submitsOf(ids, await bench.become(ids, 'sent')).map(({ at }) => at)
    // 80 of which 4 may go at once.
    expect(Math.max(...times) - Math.min(...times)).to.be.greaterThan(1.5)
    await bench.change(carrier, { throughput: 10_000 })
    await smsc.until('bind anew', () => smsc.connections > before + 1, 20_000)
  })

  it('sends again what a line that drops in mid-window has not answered, and nothing else', async () => {
    await smsc.behave({
      drop: { after: 40, unanswered: 20, random: true, times: 3 },
      receipts: [{ after_ms: 100 }],
    })
    const closed = smsc.closed.length
    const ids = await bench.accept(400, carrier)
    const rows = await bench.become(ids, 'delivered', 60_000)
    expect(smsc.closed.length).to.be.greaterThan(closed)
    const counts = new Map<string, number>()
    for (const { to, answered } of submitsOf(ids, rows)) {
      if (answered) counts.set(to, (counts.get(to) ?? 0) + 1)
    }
    expect(counts.size).to.equal(400)
    expect([...counts.values()].filter((count) => count !== 1)).to.deep.equal([])
  })

  it('gives up what no carrier takes in time, and pays it back', async () => {
    await smsc.behave({ rules: [{ status: 0x08 }] })
    const before = await bench.query('SELECT balance FROM credit_balances')
    const ids = await bench.accept(3, carrier, { giveUpAfter: 1 })
    for (const row of await bench.become(ids, 'failed', 60_000)) expect(row.error_code).to.equal('expired')
    const after = await bench.query('SELECT balance FROM credit_balances')
    expect(Number(after[0].balance) - Number(before[0].balance)).to.be.closeTo(0.03, 1e-6)
  })

  it('pays back only the segments that no carrier took of what fails in the middle', async () => {
    const body = 'Lorem ipsum dolor sit amet. '.repeat(20)
    const balance = async () => Number((await bench.query('SELECT balance FROM credit_balances'))[0].balance)
    for (const [status, to, error_code] of [
      [0x0b, '14045550111', '0x0000000B'],
      [0x08, '14045550112', 'expired'],
    ] as const) {
      await smsc.behave({
        rules: [
          { to, count: 1 },
          { to, status },
        ],
        receipts: [],
      })
      const before = await balance()
      const ids = await bench.accept(1, carrier, { body, to, giveUpAfter: 3 })
      const [row] = await bench.become(ids, 'failed', 60_000)
      expect(row).to.include({ error_code })
      // One of four was taken.
      expect(Number(row?.cost)).to.equal(0.0025)
      expect((await balance()) - before).to.be.closeTo(0.0075, 1e-9)
      expect(
        await bench.query('SELECT * FROM message_segments WHERE message_id IN (?)', [ids]),
      ).to.have.length(0)
    }
  })

  it('finds a carrier for what has none, or fails it', async () => {
    const numberId = 'pn_without'
    const [ids, lost] = [await bench.accept(2, null), await bench.accept(2, null, { numberId })]
    await bench.become(ids, 'sent')
    for (const row of await bench.become(lost, 'failed')) expect(row.error_code).to.equal('no_route')
  })

  it('ends what has no receipt in the delivery window', async () => {
    const ids = await bench.accept(2, carrier)
    await bench.become(ids, 'sent')
    await bench.query(
      'UPDATE message_segments SET accepted_at = NOW(3) - INTERVAL 4 DAY WHERE message_id IN (?)',
      [ids],
    )
    for (const row of await bench.become(ids, 'undelivered')) expect(row.error_code).to.equal('no_receipt')
  })

  it('sends nothing more for a workspace that is deleted', async () => {
    await bench.change(carrier, { throughput: 20 })
    const count = 1_000
    await bench.accept(count, carrier, { body: 'Late' })
    const late = () => smsc.taken.filter(({ text }) => text === 'Late').length
    await smsc.until('the first texts', () => late() > 5)
    const { appliance, workspace } = bench
    await succeed(appliance.operator.delete(`/workspaces/${workspace.id}`))
    const then = late()
    await bench.eventually(
      async () => bench.query('SELECT id FROM workspaces WHERE id = ?', [workspace.id]),
      (rows) => rows.length === 0,
      'the end of the workspace',
    )
    await new Promise((done) => setTimeout(done, 2_000))
    // What the carrier's link had claimed already, 50 at a time, may still go.
    expect(late() - then).to.be.below(100)
    expect(await bench.query('SELECT * FROM message_queue')).to.deep.equal([])
  })
})
