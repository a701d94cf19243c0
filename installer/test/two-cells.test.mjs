/**
 * Two machines and what they share, set up as docs/operate/cells.md says, in network namespaces of this machine; with real calls.
 * `npx mocha --exit installer/test/two-cells.test.mjs` shows it alone, and says how long things take.
 */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { findFreeswitch } from '../parts/freeswitch.mjs'
import { TwoCells } from './two-cells/cells.mjs'
import { namespacesRefused } from './two-cells/machines.mjs'
import { FEE, World } from './two-cells/world.mjs'

/** @param {string} text what was measured */
const tell = (text) => void process.stdout.write(`        ${text}\n`)

/** @param {number} since milliseconds since 1970 */
const secondsSince = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`

/**
 * Calls go to the cells in turn (exactly so: server/test/edge/cells.test.ts). On a busy machine a switch may not answer in
 * time, and its calls are begun at the other.
 * @param {Record<string, number>} live
 * @param {number} total
 * @returns {{one: number, two: number}}
 */
function expectInTurn({ one = 0, two = 0 }, total) {
  expect(one + two, `one: ${one}, two: ${two}`).to.equal(total)
  expect(Math.min(one, two), `one: ${one}, two: ${two}`).to.be.above(0)
  return { one, two }
}

describe('two cells on machines of their own', function () {
  this.timeout(400_000)
  /** @type {TwoCells | undefined} */
  let started
  /** @type {TwoCells} */
  let cells
  /** @type {World} */
  let world
  let somebody = ''

  before(async function () {
    const reason = findFreeswitch() ? namespacesRefused() : 'there is no FreeSWITCH'
    if (reason) {
      tell(`skipped: ${reason}`)
      return this.skip()
    }
    const begin = Date.now()
    cells = started = new TwoCells()
    await cells.start()
    world = new World(cells)
    await world.start()
    somebody = await world.numberOfSomebody('2025550199')
    tell(`both are up, one after the other, in ${secondsSince(begin)}`)
  })
  after(async function () {
    if (process.env['JACKFIELD_TEST_KEEP_CELLS']) return
    await started?.remove()
  })

  it('calls of a carrier go to both in turn, whichever edge it gives them to, and any server answers for all', async () => {
    await Promise.all([world.talk(somebody, 'one', 4), world.talk(somebody, 'two', 4)])
    for (const asked of /** @type {const} */ (['one', 'two'])) expectInTurn(await world.liveCalls(asked), 8)
    const calls = await world.eventually(
      async () => world.calls('two'),
      (all) => all.every(({ status }) => status === 'active'),
      'the bridging of all calls',
    )
    for (const { call_id } of calls) {
      const [here, there] = await Promise.all([
        world.at('one').get(`/calls/${call_id}`),
        world.at('two').get(`/calls/${call_id}`),
      ])
      expect(here)
        .to.include({ status: 'active', call_id })
        .and.deep.equal({ ...there, duration: here.duration })
    }
    expect(new Set(await world.hangUpAll('one'))).to.deep.equal(new Set([200]))
    for (const { status } of await world.calls('two')) expect(status).to.equal('completed')
  })

  it('a phone that is registered at one edge rings for a call that comes to the other, and is busy to both', async () => {
    const ann = await world.agent('ann', 'one')
    const number = await world.number('2025550198', { type: 'connect_agent', params: { agent_id: ann.id } })
    const state = async (/** @type {import('./two-cells/cells.mjs').Cell} */ cell) =>
      (await world.at(cell).get(`/agents/${ann.id}`)).state
    const both = async () => [await state('one'), await state('two')]
    const are = (/** @type {string} */ wanted) =>
      world.eventually(both, (seen) => seen.every((one) => one === wanted), `ann ${wanted} at both`)
    await are('available')
    for (const turn of [1, 2]) {
      const before = (await world.calls('two')).length
      await world.callIn(number, 'two').answered(1)
      await ann.phone.answered(turn)
      await are('incall')
      const second = world.callIn(number, turn === 1 ? 'one' : 'two')
      await world.eventually(
        () => world.calls('two'),
        (all) => all.length >= before + 2,
        'a second call',
      )
      await world.eventually(
        () => world.liveCalls('one'),
        ({ one = 0, two = 0 }) => one + two === 1,
        'the end of it',
      )
      second.hangUpAll()
      expect(ann.phone.calls, 'rung for the first call only').to.have.lengthOf(turn)
      await world.hangUpAll(turn === 1 ? 'one' : 'two')
      await are('available')
    }
  })

  it('calls per second are counted by both together', async () => {
    const limit = 5
    await world.limitCallsPerSecond('two', limit)
    try {
      const begin = Date.now()
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, turn) =>
          world.at(turn % 2 === 0 ? 'one' : 'two').ask('POST', '/calls/make', {
            to: { number: '+12025550100' },
            actions: [{ action: 'to_operator', params: { phone_number: '+12025550100' } }],
          }),
        ),
      )
      const begun = answers.filter(({ status }) => status === 201).length
      const refused = answers.filter(({ status }) => status === 429).length
      expect(begun + refused, JSON.stringify(answers.map(({ status }) => status))).to.equal(40)
      expect(begun).to.be.within(1, limit * Math.ceil((Date.now() - begin) / 1000))
      tell(`${begun} of 40 calls began in ${secondsSince(begin)}, with a limit of ${limit} a second`)
    } finally {
      // What follows is not to fail of it as well.
      await world.limitCallsPerSecond('one', null)
      await world.hangUpAll('two')
    }
  })

  it('when one loses its power, calls go on at the other, and its own are ended and charged until then', async () => {
    const before = new Set((await world.calls('two')).map(({ call_id }) => call_id))
    await world.talk(somebody, 'two', 4)
    const atOnce = Date.now()
    const live = await world.liveCalls('two')
    const { one: lost, two: kept } = expectInTurn(live, 4)
    await world.eventually(
      async () => Date.now() - atOnce,
      (ms) => ms > 4_000,
      'calls that were seen alive',
    )
    const cut = Date.now()
    cells.machines.powerCut('one')
    const calls = 16
    const after = world.callIn(somebody, 'two', calls, 2)
    const ended = async () =>
      (await world.calls('two')).filter(
        ({ call_id, hangup_cause }) => !before.has(call_id) && hangup_cause === 'CRASH',
      )
    const crashed = await world.eventually(
      ended,
      (all) => all.length === lost,
      `${lost} calls that are ended`,
      60_000,
    )
    tell(`its calls were ended ${secondsSince(cut)} after the cut`)
    await after.answered(calls, 60_000)
    const waits = after.calls.map(({ began, answered }) => ({ began, wait: (answered ?? Infinity) - began }))
    const late = waits.filter(({ wait }) => wait > 1_500)
    const last = Math.max(cut, ...late.map(({ began }) => began))
    tell(
      `of ${calls} calls after it all were answered, the slowest after ${Math.max(...waits.map(({ wait }) => wait))} ms; ` +
        `none that began later than ${((last - cut) / 1000).toFixed(1)} s waited over 1.5 s`,
    )
    expect(await world.liveCalls('two')).to.deep.equal({ one: 0, two: calls + kept })
    for (const { call_id } of crashed) {
      const { ended_at, cost, legs } = await world.at('two').get(`/calls/${call_id}`)
      expect(Date.parse(ended_at), 'not charged for what came after').to.be.within(cut - 4_000, cut + 500)
      const seconds = (/** @type {{answered_at: string, ended_at: string}} */ leg) =>
        Math.ceil((Date.parse(leg.ended_at) - Date.parse(leg.answered_at)) / 1000)
      const sum = legs.reduce(
        (/** @type {number} */ all, /** @type {any} */ leg) => all + (seconds(leg) / 60) * FEE,
        0,
      )
      expect(cost).to.be.closeTo(sum, 1e-6).and.above(0)
    }
    await world.hangUpAll('two')
    expect((await world.at('two').get('/credit')).held ?? 0).to.equal(0)
    expect(await world.moneyProblems('two')).to.deep.equal([])
  })

  it('it comes back and takes calls again', async () => {
    const begin = Date.now()
    await cells.up('one')
    await cells.areUp(['one', 'two'], 'two')
    tell(`it was up again ${secondsSince(begin)} after it was started`)
    await world.eventually(
      async () => {
        await world.hangUpAll('two')
        await world.talk(somebody, 'two', 4)
        return world.liveCalls('two')
      },
      ({ one = 0, two = 0 }) => one > 0 && two > 0,
      'calls in turn',
      60_000,
    )
    await world.talk(somebody, 'one', 2)
    expectInTurn(await world.liveCalls('one'), 6)
    expect(new Set(await world.hangUpAll('one'))).to.deep.equal(new Set([200]))
    expect(await world.moneyProblems('one')).to.deep.equal([])
  })
})
