/**
 * The unit costs in docs/operate/scale.md: `node installer/test/two-cells/measure.mjs`. Two cells that do nothing, the same with
 * calls that live, and calls from beginning to end; what each of it costs all machines together.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { TwoCells } from './cells.mjs'
import { difference, readCounters } from './counters.mjs'
import { World } from './world.mjs'

const IDLE_SECONDS = 20
const LIVE_SECONDS = 20
const LIVE_CALLS = 20

const cells = new TwoCells()
try {
  await cells.start()
  const world = new World(cells)
  await world.start()
  const number = await world.numberOfSomebody('2025550199')
  await world.callIn(number, 'one', 2).answered(2)
  await world.hangUpAll('one')
  await sleep(5_000)

  const atRest = readCounters(cells)
  await sleep(IDLE_SECONDS * 1_000)
  const rested = readCounters(cells)
  const idle = difference(atRest, rested, IDLE_SECONDS)
  report('two cells at rest, a second', idle)

  const began = Date.now()
  const callers = [world.callIn(number, 'one', LIVE_CALLS / 2), world.callIn(number, 'two', LIVE_CALLS / 2)]
  for (const caller of callers) await caller.answered(LIVE_CALLS / 2, 60_000)
  await sleep(2_000)
  const live = readCounters(cells)
  await sleep(LIVE_SECONDS * 1_000)
  const lived = readCounters(cells)
  const second = difference(live, lived, LIVE_SECONDS)
  report('a live call of two legs with media, a second', difference(idle, second, LIVE_CALLS))
  await world.hangUpAll('two')
  await sleep(2_000)
  const seconds = (Date.now() - began) / 1_000
  const whole = difference(rested, readCounters(cells), 1)
  // what rests and what lives is not the beginning and the end of calls
  const own = Object.fromEntries(
    Object.entries(whole).map(([name, value]) => {
      const perSecond = idle[name] ?? 0
      return [name, value - perSecond * seconds - ((second[name] ?? 0) - perSecond) * LIVE_SECONDS]
    }),
  )
  report('beginning and end of a call of two legs', difference({}, own, LIVE_CALLS))
} finally {
  await cells.remove()
}
process.exit()

/** @param {string} title @param {import('./counters.mjs').Counters} counters */
function report(title, counters) {
  process.stdout.write(`\n${title}\n`)
  for (const [name, value] of Object.entries(counters)) {
    process.stdout.write(`  ${name.padEnd(28)} ${value.toFixed(2).padStart(10)}\n`)
  }
}
