import { expect } from 'chai'
import { describe, it } from 'mocha'
import { setTimeout as sleep } from 'node:timers/promises'
import { inLanes } from '../test-lanes.mjs'
import { fastParts, filesOf, plan, startOf } from '../test-plan.mjs'
import { SUITES } from '../test-suites.mjs'

describe('npm test', () => {
  it('runs side by side what the processors carry, each piece in a lane of its own', async () => {
    const pieces = Array.from({ length: 12 }, (_, index) => ({ index, cores: index % 3 === 0 ? 1 : 0.2 }))
    /** @type {number[]} */
    const done = []
    /** @type {Map<string, number>} */
    const running = new Map()
    let most = 0
    await inLanes(
      pieces,
      async ({ index, cores }, env) => {
        const lane = env['JACKFIELD_TEST_LANE'] ?? ''
        expect(running.has(lane), `lane ${lane} is taken`).to.equal(false)
        running.set(lane, cores)
        most = Math.max(
          most,
          [...running.values()].reduce((sum, one) => sum + one, 0),
        )
        await sleep(5)
        running.delete(lane)
        done.push(index)
      },
      { lanes: 4, capacity: 1.5 },
    )
    expect(done.sort((one, other) => one - other)).to.deep.equal(pieces.map(({ index }) => index))
    expect(most).to.be.within(1.2, 1.5)
  })

  it('runs a piece that needs more than there is by itself', async () => {
    let running = 0
    await inLanes(
      [{ cores: 9 }, { cores: 9 }],
      async () => {
        running += 1
        expect(running).to.equal(1)
        await sleep(2)
        running -= 1
      },
      { lanes: 4, capacity: 2 },
    )
  })

  it('plans every file once, the longest first, and last what runs alone', () => {
    const batches = plan(SUITES)
    const files = batches.flatMap((batch) => batch.files)
    expect([...files].sort()).to.deep.equal(SUITES.flatMap(filesOf).sort())
    const alone = batches.findIndex((batch) => batch.alone)
    expect(batches.slice(alone).every((batch) => batch.alone && batch.files.length === 1)).to.equal(true)
    const seconds = batches.slice(0, alone).map((batch) => batch.seconds)
    expect(seconds).to.deep.equal([...seconds].sort((one, other) => other - one))
  })

  it('has cheap files of each part for the fast run, and nothing that wants the machine for itself', () => {
    const batches = plan(fastParts(SUITES))
    const suites = new Set(batches.map(({ suite }) => suite.name))
    const dear = 'cli of resources'
    expect([...suites].sort()).to.deep.equal(
      SUITES.map(({ name }) => name)
        .filter((name) => name !== dear)
        .sort(),
    )
    expect(batches.some(({ alone }) => alone)).to.equal(false)
    const work = batches.reduce((sum, { seconds, cores }) => sum + seconds * cores, 0)
    expect(work, 'seconds of a processor').to.be.below(700)
  })

  it('puts test files into one process that start their appliance alike', () => {
    const isAlike = (/** @type {string} */ file) =>
      /calls\/(phone-refusals|phone-limits)\.test\.js$/.test(file)
    const batches = plan(SUITES).filter(({ files }) => files.some(isAlike))
    expect(batches).to.have.length(1)
  })

  it('knows which files start their appliance alike, whatever else they start', () => {
    const alike = [
      'await PhoneBench.start()',
      "await CallBench.start('freeswitch', { credit: 0 })",
      'TeamBench.start({ carrier: { toneHz: carrierHz } })',
    ]
    expect(new Set(alike.map(startOf))).to.have.length(1)
    const others = [
      'await PhoneBench.start()',
      "PhoneBench.start({ settings: { JACKFIELD_CALLS_RING_TIMEOUT: '5' } })",
      'PhoneBench.start({ edge: { tlsCaFile } })',
      "await CallBench.start('sandbox')",
      'await startUnlimited()',
      "await startUnlimited({ JACKFIELD_LIMITS_AUDIOS: '4' })",
      'await Appliance.start()',
      'there is none',
    ]
    expect(new Set(others.map(startOf))).to.have.length(others.length)
  })
})
