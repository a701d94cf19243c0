/** How many rows a workspace has in a table that grows. */
import { setImmediate as soon } from 'node:timers/promises'
import { expect } from 'chai'
import { GrowingTotals } from '../../src/infrastructure/database/growing-totals.js'

describe('totals of growing tables', () => {
  let now: number
  /** When each row was created. */
  let rows: number[]
  let asked: string[]
  let totals: GrowingTotals

  beforeEach(() => {
    now = Date.UTC(2026, 10, 29)
    rows = Array.from({ length: 100 }, (_, index) => now - 3_600_000 - index * 1_000)
    asked = []
    totals = new GrowingTotals(
      async <T>(sql: string, [, time]: unknown[]) => {
        asked.push(sql.includes('AS older') ? 'all' : 'younger')
        const younger = rows.filter((row) => row >= (time as Date).getTime()).length
        return Promise.resolve([{ older: String(rows.length - younger), younger: String(younger) }] as T)
      },
      'calls',
      { leastKept: 100, now: () => now },
    )
  })

  it('count older rows once, and younger ones each time', async () => {
    expect(await totals.of('acme')).to.equal(100)
    rows.push(now - 90_000, now)
    now += 10_000
    rows.push(now)
    expect(await totals.of('acme')).to.equal(102) // that of 90 s ago came late
    expect(asked).to.deep.equal(['all', 'younger'])
  })

  it('are counted again meanwhile after half a minute, and first after ten', async () => {
    await totals.of('acme')
    rows.splice(0, 1)
    now += 31_000
    expect(await totals.of('acme'), 'used once more').to.equal(100)
    await soon()
    rows.push(now)
    expect(await totals.of('acme'), 'counted again').to.equal(100)
    rows.splice(0, 9)
    now += 600_001
    expect(await totals.of('acme'), 'too old').to.equal(91)
  })

  it('are counted each time where they are few, and for each workspace', async () => {
    rows.pop()
    for (const workspace of ['acme', 'acme', 'other']) expect(await totals.of(workspace)).to.equal(99)
    expect(asked).to.deep.equal(['all', 'all', 'all'])
  })

  it('outlive a count that fails', async () => {
    let fails = false
    const failing = new GrowingTotals(
      async <T>(sql: string) => {
        if (fails && sql.includes('AS older')) throw new Error('the database is away')
        return Promise.resolve([{ older: '100', younger: '1' }] as T)
      },
      'messages',
      { leastKept: 100, now: () => now },
    )
    expect(await failing.of('acme')).to.equal(101)
    fails = true
    now += 31_000
    expect(await failing.of('acme')).to.equal(101)
    await soon()
    expect(await failing.of('acme')).to.equal(101)
  })
})
