import { AsyncLocalStorage } from 'node:async_hooks'
import { mock } from 'node:test'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { CoalescedTask } from '../../src/lib/coalesced-task.js'

interface Run {
  end: (pauseMs?: number) => void
  fail: (error: Error) => void
  signal: AbortSignal
}

/** A task whose runs end when the test says so, and what it has logged. */
function bench(options: { retryMs?: number } = {}) {
  const runs: Run[] = []
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push((JSON.parse(line) as { msg: string }).msg) })
  const task = new CoalescedTask(
    { gatherMs: 100, ...options, log, failure: ['test.failed', 'no news'] },
    async (signal) =>
      new Promise<number | undefined>((end, fail) => runs.push({ end: (ms) => end(ms), fail, signal })),
  )
  return { task, runs, lines }
}

/** Lets time pass, and all that it sets off. */
async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms)
  await othersTurn()
}

describe('a coalesced task', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  it('runs once, a moment later, for all that is asked until then', async () => {
    const { task, runs } = bench()
    for (let count = 0; count < 3; count++) task.soon()
    await pass(99)
    expect(runs.length).to.equal(0)
    await pass(1)
    expect(runs.length).to.equal(1)
    runs[0]?.end()
    await pass(1_000)
    expect(runs.length).to.equal(1)
    await task.stop()
  })

  it('runs once more for what is asked during a run, after the pause that the run wants', async () => {
    const { task, runs } = bench()
    task.soon()
    await pass(100)
    task.soon()
    task.soon()
    runs[0]?.end(500)
    await othersTurn()
    await pass(499)
    expect(runs.length).to.equal(1)
    await pass(1)
    expect(runs.length).to.equal(2)
    runs[1]?.end()
    await pass(1_000)
    expect(runs.length).to.equal(2)
    await task.stop()
  })

  it('tries again what has failed, and logs it once', async () => {
    const { task, runs, lines } = bench({ retryMs: 50 })
    task.soon()
    await pass(100)
    for (const index of [0, 1]) {
      runs[index]?.fail(new Error('no database'))
      await othersTurn()
      await pass(50)
    }
    expect(runs.length).to.equal(3)
    runs[2]?.end()
    await task.stop()
    expect(lines).to.deep.equal(['no news', 'no news: over'])
  })

  it('does not try again what has failed unless it is to', async () => {
    const { task, runs, lines } = bench()
    task.soon()
    await pass(100)
    runs[0]?.fail(new Error('no database'))
    await othersTurn()
    await pass(1_000)
    expect([runs.length, lines]).to.deep.equal([1, ['no news']])
    task.soon()
    await pass(100)
    expect(runs.length).to.equal(2)
    runs[1]?.end()
    await task.stop()
  })

  it('stops after the run under way, which learns of it, and begins no other', async () => {
    const { task, runs } = bench()
    task.soon()
    await pass(100)
    task.soon()
    let isStopped = false
    const stopped = task.stop().then(() => (isStopped = true))
    await pass(1_000)
    expect([isStopped, runs[0]?.signal.aborted]).to.deep.equal([false, true])
    runs[0]?.end()
    await stopped
    task.soon()
    await pass(1_000)
    expect(runs.length).to.equal(1)
  })

  it('keeps runs out of the request that asks for them', async () => {
    const requests = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    const log = { warn: () => undefined, info: () => undefined }
    const task = new CoalescedTask({ gatherMs: 1, log, failure: ['test.failed', 'no news'] }, async () => {
      seen.push(requests.getStore())
      return undefined
    })
    requests.run('a request', () => task.soon())
    await pass(1)
    expect(seen).to.deep.equal([undefined])
    await task.stop()
  })
})
