import { expect } from 'chai'
import fc from 'fast-check'
import {
  type Rate,
  affordableSeconds,
  billedSeconds,
  chargedSeconds,
  costOf,
  free,
  perMinute,
} from '../../src/features/rates/rating.js'
import { microsOf, sumOf } from '../../src/lib/money.js'

/** A rate as an operator may write it. */
const rates: fc.Arbitrary<Rate> = fc
  .record({
    fee_per_minute: fc.integer({ min: 0, max: 1_000_000_000 }),
    connection_fee: fc.integer({ min: 0, max: 5_000_000 }),
    minimum_seconds: fc.integer({ min: 1, max: 120 }),
    increment_seconds: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ fee_per_minute, connection_fee, ...steps }) => ({
    ...{ fee_per_minute: fee_per_minute / 1e6, connection_fee: connection_fee / 1e6 },
    ...{ ...steps, rate_deck_id: null, rate_prefix: null },
  }))

describe('prices of calls', () => {
  const at = (ms: number) => new Date(1_000_000 + ms)

  it('count every begun second since the answer', () => {
    expect(billedSeconds(null, at(5_000))).to.equal(0)
    const seconds = [0, 1, 1_000, 1_001, 59_999].map((ms) => billedSeconds(at(0), at(ms)))
    expect(seconds).to.deep.equal([1, 1, 1, 2, 60])
    expect(billedSeconds(at(1_000), at(0)), 'clocks that differ').to.equal(1)
  })

  it('are exact to six decimals', () => {
    expect(costOf(60, perMinute(0.01))).to.equal(0.01)
    expect(costOf(1, perMinute(0.01))).to.equal(0.000167)
    expect(costOf(7_200, perMinute(0.6))).to.equal(72)
    expect(costOf(0, perMinute(1_000))).to.equal(0)
    expect(sumOf([0.1, 0.2, 0.3, -0.6])).to.equal(0)
  })

  it('charge a minimum, steps beyond it, and a fee for the connection', () => {
    const steps = { minimum_seconds: 60, increment_seconds: 6 }
    expect([0, 1, 60, 61, 66, 67].map((seconds) => chargedSeconds(seconds, steps))).to.deep.equal([
      0, 60, 60, 66, 66, 72,
    ])
    const rate = { ...perMinute(0.6), ...steps, connection_fee: 0.05 }
    expect(costOf(0, rate), 'nobody answered').to.equal(0)
    expect(costOf(1, rate)).to.equal(0.65)
    expect(costOf(61, rate)).to.equal(0.71)
  })

  it('tell how long a credit lasts', () => {
    expect(affordableSeconds(1, perMinute(0.6))).to.equal(100)
    expect(affordableSeconds(0.0001, perMinute(0.6))).to.equal(0)
    expect(affordableSeconds(-5, perMinute(0.6))).to.equal(0)
    expect(affordableSeconds(0, free)).to.equal(Infinity)
    const rate = { ...perMinute(0.6), minimum_seconds: 60, connection_fee: 0.05 }
    expect(affordableSeconds(0.649999, rate)).to.equal(0)
    expect(affordableSeconds(0.65, rate)).to.equal(60)
  })

  it('never let a credit last longer than it pays for, nor end while it pays for more', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 100_000_000 }), (rate, micros) => {
        const seconds = affordableSeconds(micros / 1e6, rate)
        if (seconds === Infinity || seconds > 7_200) return
        expect(microsOf(costOf(seconds, rate))).to.be.at.most(micros)
        const more = seconds === 0 ? 1 : seconds + 1
        // A step more costs more than there is, by no less than what rounding hides.
        expect(microsOf(costOf(more, rate)) + 1).to.be.above(micros)
      }),
    )
  })

  it('add up whatever the order, as whole millionths do', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -10_000_000, max: 10_000_000 })), (micros) => {
        const amounts = micros.map((one) => one / 1e6)
        const sum = micros.reduce((total, one) => total + one, 0) / 1e6
        expect(sumOf(amounts) + 0).to.equal(sum + 0)
        expect(sumOf(amounts.toReversed()) + 0).to.equal(sum + 0)
      }),
    )
  })
})
