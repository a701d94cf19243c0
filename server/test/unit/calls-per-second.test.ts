import { expect } from 'chai'
import { CallsPerSecond } from '../../src/calls/calls-per-second.js'

describe('calls per second', () => {
  let now = 0
  const taken = (limit: CallsPerSecond, workspace: string, perSecond: number, tries: number) =>
    Array.from({ length: tries }, () => limit.take(workspace, perSecond)).filter(Boolean).length

  it('are as many at once as a second may have, and then come evenly', () => {
    const limit = new CallsPerSecond(() => now)
    expect(taken(limit, 'acme', 4, 10)).to.equal(4)
    now += 250
    expect(taken(limit, 'acme', 4, 10)).to.equal(1)
    now += 125
    expect(taken(limit, 'acme', 4, 10)).to.equal(0)
    now += 125
    expect(taken(limit, 'acme', 4, 10)).to.equal(1)
    now += 3_600_000
    expect(taken(limit, 'acme', 4, 10)).to.equal(4)
  })

  it('are counted for each workspace, and follow a change of its limit', () => {
    const limit = new CallsPerSecond(() => now)
    expect(taken(limit, 'acme', 2, 5)).to.equal(2)
    expect(taken(limit, 'other', 2, 5)).to.equal(2)
    now += 1_000
    expect(taken(limit, 'acme', 1, 5)).to.equal(1)
    now += 1_000
    expect(taken(limit, 'acme', 3, 5)).to.equal(3)
  })

  it('take no more memory than ten thousand workspaces need', () => {
    const limit = new CallsPerSecond(() => now)
    for (let index = 0; index < 10_000; index++) limit.take(`w${index}`, 1)
    expect(limit.take('w0', 1)).to.equal(false)
    limit.take('one more', 1)
    expect(limit.take('w0', 1), 'forgotten').to.equal(true)
  })
})
