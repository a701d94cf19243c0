/** What the log says of a poll that fails for long. */
import { expect } from 'chai'
import { pino } from 'pino'
import { RateLimitedFailureLog } from '../../src/lib/rate-limited-failure-log.js'

describe('a failure that lasts', () => {
  const now = performance.now.bind(performance)
  afterEach(() => (performance.now = now))

  it('is told when it begins, once a minute, and when it is over', () => {
    let clock = 0
    performance.now = () => clock
    const lines: Record<string, unknown>[] = []
    const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line) as (typeof lines)[0]) })
    const failure = new RateLimitedFailureLog(log, 'queue.read_failed', 'the queue cannot be read', {
      kind: 'mail',
    })
    failure.succeeded()
    for (clock = 0; clock < 150_000; clock += 1_000) failure.failed(new Error('away'))
    failure.succeeded()
    failure.succeeded()
    failure.failed(new Error('again'))
    expect(
      lines.map(({ event, msg, times, seconds, kind }) => [event, msg, times, seconds, kind]),
    ).to.deep.equal([
      ['queue.read_failed', 'the queue cannot be read', 1, undefined, 'mail'],
      ['queue.read_failed', 'the queue cannot be read', 61, undefined, 'mail'],
      ['queue.read_failed', 'the queue cannot be read', 121, undefined, 'mail'],
      ['queue.read_failed_over', 'the queue cannot be read: over', 150, 150, 'mail'],
      ['queue.read_failed', 'the queue cannot be read', 1, undefined, 'mail'],
    ])
  })
})
