/** How long a call was, as histories have it. */
import { expect } from 'chai'
import { secondsOfTalk } from '../../src/features/calls/model/call-end.js'

describe('the duration of a call', () => {
  const answered = new Date('2026-01-01T00:00:00.000Z')
  const after = (ms: number) => secondsOfTalk(answered, new Date(answered.getTime() + ms))

  it('is rounded to the nearest second', () => {
    expect([2_020, 1_980, 2_499, 2_500, 0].map(after)).to.deep.equal([2, 2, 2, 3, 0])
  })

  it('is 0 without an answer, and where clocks differ', () => {
    expect(secondsOfTalk(null, answered)).to.equal(0)
    expect(after(-1_000)).to.equal(0)
  })
})
