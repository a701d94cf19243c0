import { expect } from 'chai'
import { type RefusalKind, SubmitError } from '../../src/adapters/sms/link.js'
import { Destinations } from '../../src/features/messages/dispatch/destinations.js'

describe('destinations that a carrier does not take messages for now', () => {
  let now = 0
  let destinations: Destinations
  beforeEach(() => {
    now = 1_000_000
    destinations = new Destinations(() => now)
  })

  const refuse = (to: string, kind: RefusalKind, retryAfterMs?: number) =>
    destinations.refused(to, new SubmitError(kind, '0x00000014', 'queue full', retryAfterMs))

  it('wait longer each time, and others do not wait', () => {
    const pauses = [1, 2, 3, 4].map(() => {
      const { retryAfterMs = 0 } = refuse('1', 'destination')
      now += retryAfterMs
      return retryAfterMs
    })
    expect(pauses).to.deep.equal([1_000, 2_000, 4_000, 8_000])
    refuse('1', 'destination')
    expect(destinations.refusalOf('1', 'a')).to.include({ kind: 'destination', retryAfterMs: 16_000 })
    expect(destinations.refusalOf('2', 'a')).to.equal(null)
    destinations.accepted('1')
    expect(destinations.refusalOf('1', 'a')).to.equal(null)
  })

  it('are refused once for what is submitted at the same time', () => {
    const waits = Array.from({ length: 20 }, () => refuse('1', 'destination').retryAfterMs)
    expect(new Set(waits)).to.deep.equal(new Set([1_000]))
  })

  it('are tried again by one message, all segments of it', () => {
    refuse('1', 'destination')
    now += 1_000
    expect(destinations.refusalOf('1', 'a')).to.equal(null)
    destinations.begin('1', 'a')
    expect(destinations.refusalOf('1', 'a')).to.equal(null)
    expect(destinations.refusalOf('1', 'b')).to.include({ kind: 'destination', retryAfterMs: 1_000 })
    refuse('1', 'temporary')
    expect(destinations.refusalOf('1', 'b')).to.equal(null)
  })

  it('differ from a carrier that throttles by what it takes for others', () => {
    expect(refuse('1', 'throttled').kind).to.equal('throttled')
    now += 1_000
    expect(refuse('1', 'throttled').kind).to.equal('throttled')
    for (let n = 0; n < 10; n++) destinations.accepted(`2${n}`)
    now += 2_000
    expect(refuse('1', 'throttled').kind).to.equal('destination')
    for (let n = 0; n < 10; n++) refuse(`3${n}`, 'throttled')
    destinations.accepted('4')
    now += 10_000
    expect(refuse('1', 'throttled').kind).to.equal('throttled')
  })

  it('wait no longer than ten seconds while the carrier throttles all', () => {
    for (let n = 0; n < 12; n++) {
      expect(refuse('1', 'throttled').kind).to.equal('throttled')
      now += 10_000
      expect(destinations.refusalOf('1', 'a'), `refusal ${n}`).to.equal(null)
    }
  })

  it('wait for as long as the carrier says', () => {
    expect(refuse('1', 'destination', 60_000).retryAfterMs).to.equal(60_000)
    now += 59_999
    expect(destinations.refusalOf('1', 'a')?.retryAfterMs).to.equal(1)
  })

  it('are remembered for a bounded number of destinations', () => {
    for (let n = 0; n <= 10_000; n++) refuse(`${n}`, 'destination')
    expect(destinations.refusalOf('0', 'a')).to.equal(null)
    expect(destinations.refusalOf('1', 'a')).to.not.equal(null)
  })
})
