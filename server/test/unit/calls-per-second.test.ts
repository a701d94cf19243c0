import { expect } from 'chai'
import { CallsPerSecond } from '../../src/features/calls/limits/calls-per-second.js'

describe('calls per second', () => {
  let now = 0
  const taken = async (limit: CallsPerSecond, workspace: string, perSecond: number, tries: number) => {
    const all = Array.from({ length: tries }, async () => limit.take(workspace, perSecond))
    return (await Promise.all(all)).filter(Boolean).length
  }

  it('are as many at once as a second may have, and then come evenly', async () => {
    const limit = new CallsPerSecond(null, () => now)
    expect(await taken(limit, 'acme', 4, 10)).to.equal(4)
    now += 250
    expect(await taken(limit, 'acme', 4, 10)).to.equal(1)
    now += 125
    expect(await taken(limit, 'acme', 4, 10)).to.equal(0)
    now += 125
    expect(await taken(limit, 'acme', 4, 10)).to.equal(1)
    now += 3_600_000
    expect(await taken(limit, 'acme', 4, 10)).to.equal(4)
  })

  it('are counted for each workspace, and follow a change of its limit', async () => {
    const limit = new CallsPerSecond(null, () => now)
    expect(await taken(limit, 'acme', 2, 5)).to.equal(2)
    expect(await taken(limit, 'other', 2, 5)).to.equal(2)
    now += 1_000
    expect(await taken(limit, 'acme', 1, 5)).to.equal(1)
    now += 1_000
    expect(await taken(limit, 'acme', 3, 5)).to.equal(3)
  })

  it('take no more memory than ten thousand workspaces need', async () => {
    const limit = new CallsPerSecond(null, () => now)
    for (let index = 0; index < 10_000; index++) await limit.take(`w${index}`, 1)
    expect(await limit.take('w0', 1)).to.equal(false)
    await limit.take('one more', 1)
    expect(await limit.take('w0', 1), 'forgotten').to.equal(true)
  })

  it('are those of all servers together, and of each alone while these cannot count together', async () => {
    let count: number | null = 0
    const shared = {
      add: async () => Promise.resolve(count === null ? null : { count: ++count, endsInMs: 1_000 }),
      clear: async () => Promise.resolve(),
    }
    const limits = [new CallsPerSecond(shared, () => now), new CallsPerSecond(shared, () => now)] as const
    expect((await taken(limits[0], 'acme', 4, 3)) + (await taken(limits[1], 'acme', 4, 3))).to.equal(4)
    count = null
    expect(await taken(limits[0], 'acme', 4, 6)).to.equal(4)
    expect(await taken(limits[1], 'acme', 4, 6)).to.equal(4)
  })
})
