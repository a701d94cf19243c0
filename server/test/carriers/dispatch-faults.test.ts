import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Mariadb, startMariadb } from '../support/mariadb.js'
import { Smsc } from '../support/smsc.js'
import { type MessageRow, TextBench } from '../support/text-bench.js'

const window = 20

describe('dispatch where parts fail', () => {
  let mariadb: Mariadb
  let bench: TextBench
  let smsc: Smsc
  let other: Smsc
  let [carrier, second] = ['', '']

  before(async () => {
    mariadb = await startMariadb()
    bench = await TextBench.start({ mariadb, settings: { JACKFIELD_MESSAGES_FAILOVER_AFTER: '2' } })
    smsc = await Smsc.start({ max_binds: 1 })
    other = await Smsc.start()
    carrier = await bench.carrier(smsc.port, { window })
    second = await bench.carrier(other.port, { window })
    await bench.up(carrier)
    await bench.up(second)
  })
  after(async () => {
    await bench?.stop()
    await smsc?.stop()
    await other?.stop()
    await mariadb?.stop()
  })
  beforeEach(async () => {
    await smsc.behave({ rules: [], receipts: [{ after_ms: 50 }], answer_delay_ms: 0, bind_status: 0 })
    await other.behave({ receipts: [{ after_ms: 50 }] })
  })

  /** How often each was submitted. */
  const counts = (
    rows: readonly MessageRow[],
    { taken }: Smsc,
    test = (_: { answered: boolean }) => true,
  ) => {
    const numbers = new Map(rows.map(({ client_number }) => [client_number, 0]))
    for (const one of taken.filter(test)) {
      const count = numbers.get(one.to)
      if (count !== undefined) numbers.set(one.to, count + 1)
    }
    return [...numbers.values()]
  }
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

  it('takes what a carrier refuses for good to the next one', async () => {
    await smsc.behave({ rules: [{ status: 0x0a }] })
    const rows = await bench.become(await bench.accept(5, carrier), 'delivered')
    expect(counts(rows, other)).to.deep.equal([1, 1, 1, 1, 1])
    expect(new Set(rows.map(({ carrier_id }) => carrier_id))).to.deep.equal(new Set([second]))
  })

  for (const status of [0x14, 0x58]) {
    const code = `0x${status.toString(16)}`
    it(`takes what a carrier answers ${code} to the next one`, async () => {
      await smsc.behave({ rules: [{ status }] })
      const rows = await bench.become(await bench.accept(3, carrier), 'delivered')
      expect(counts(rows, other)).to.deep.equal([1, 1, 1])
      await smsc.behave({ rules: [] })
      await bench.become(await bench.accept(1, carrier), 'delivered')
    })
  }

  it('takes what waits for a carrier that stays down to the next one', async () => {
    await smsc.behave({ bind_status: 0x0d })
    await smsc.drop()
    const rows = await bench.become(await bench.accept(30, carrier), 'delivered')
    expect(sum(counts(rows, other))).to.equal(30)
    expect(sum(counts(rows, smsc))).to.equal(0)
    await smsc.behave({ bind_status: 0 })
    await bench.up(carrier)
  })

  it('leaves a carrier that is switched off, and what waits for it goes to the next one', async () => {
    await bench.change(carrier, { is_active: false })
    await smsc.until('unbind', () => smsc.pdus.some(({ command }) => command === 'unbind'))
    const rows = await bench.become(await bench.accept(10, carrier), 'delivered')
    expect(sum(counts(rows, other))).to.equal(10)
    await bench.change(carrier, { is_active: true })
    await bench.up(carrier)
  })

  it('is killed with a full window, and no more than the window is submitted again', async () => {
    await smsc.behave({ answer_delay_ms: 300 })
    const ids = await bench.accept(200, carrier)
    const before = smsc.taken.length
    await smsc.until('full window', () => smsc.taken.length >= before + 50)
    await bench.appliance.killServer()
    await smsc.behave({ answer_delay_ms: 0 })
    await bench.appliance.startServer()
    const rows = await bench.become(ids, 'delivered', 50_000)
    const each = counts(rows, smsc)
    expect(Math.min(...each)).to.equal(1)
    expect(sum(each) - 200).to.be.within(1, window)
  })

  it('waits for a database that is away, and submits nothing twice', async () => {
    const ids = await bench.accept(3_000, carrier)
    const before = smsc.taken.length
    await smsc.until('submissions', () => smsc.taken.length > before + 100)
    await mariadb.pause()
    await sleep(6_000)
    await mariadb.resume()
    const rows = await bench.become(ids, 'delivered', 50_000)
    expect(counts(rows, smsc).filter((count) => count !== 1)).to.deep.equal([])
  })

  it('has one server bind, and another one take over from it', async () => {
    const binds = smsc.binds.length
    await bench.appliance.startAnotherServer()
    const first = await bench.accept(100, carrier)
    expect(sum(counts(await bench.become(first, 'delivered'), smsc))).to.equal(100)
    expect(smsc.binds).to.have.length(binds)
    await bench.appliance.killServer()
    await bench.become(await bench.accept(50, carrier), 'delivered', 50_000)
    expect(smsc.binds).to.have.length(binds + 1)
    // The one that is back leaves it where it is.
    await bench.appliance.startServer()
    const last = await bench.accept(100, carrier)
    expect(sum(counts(await bench.become(last, 'delivered'), smsc))).to.equal(100)
    expect(smsc.binds).to.have.length(binds + 1)
  })

  it('gives its carriers to another server when it stops', async () => {
    const binds = smsc.binds.length
    const unbinds = () => smsc.pdus.filter(({ command }) => command === 'unbind').length
    const before = unbinds()
    await bench.appliance.stopOtherServers()
    expect(unbinds()).to.equal(before + 1)
    const ids = await bench.accept(20, carrier)
    expect(sum(counts(await bench.become(ids, 'delivered'), smsc))).to.equal(20)
    expect(smsc.binds).to.have.length(binds + 1)
  })
})
