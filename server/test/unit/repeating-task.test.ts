import { AsyncLocalStorage } from 'node:async_hooks'
import { mock } from 'node:test'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { RepeatingTask } from '../../src/lib/repeating-task.js'

/** A task whose runs end when the test says so, and what it has logged. */
function bench(options: { everyMs?: number; first?: 'now' | 'later' } = {}) {
  const runs: { end: () => void; fail: (error: Error) => void; signal: AbortSignal }[] = []
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push((JSON.parse(line) as { msg: string }).msg) })
  const task = new RepeatingTask(
    { ...{ everyMs: 1_000, ...options }, log, failure: ['test.failed', 'no poll'] },
    async (signal) => new Promise<void>((end, fail) => runs.push({ end, fail, signal })),
  )
  return { task, runs, lines }
}

/** Lets time pass, and all that it sets off. */
async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms)
  await othersTurn()
}

describe('a repeating task', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  it('runs at the start, or an interval later', async () => {
    const [now, later] = [bench({ first: 'now' }), bench()]
    now.task.start()
    later.task.start()
    expect([now.runs.length, later.runs.length]).to.deep.equal([1, 0])
    await pass(999)
    expect(later.runs.length).to.equal(0)
    await pass(1)
    expect(later.runs.length).to.equal(1)
    for (const { task, runs } of [now, later]) {
      runs[0]?.end()
      await task.stop()
    }
  })

  it('leaves out what falls into a run, and goes on after it', async () => {
    const { task, runs } = bench({ first: 'now' })
    task.start()
    for (let intervals = 0; intervals < 6; intervals++) await pass(1_000)
    expect(runs.length).to.equal(1)
    runs[0]?.end()
    await othersTurn()
    expect(runs.length).to.equal(1)
    await pass(1_000)
    expect(runs.length).to.equal(2)
    runs[1]?.end()
    await task.stop()
  })

  it('runs once more when it is asked several times during a run', async () => {
    const { task, runs } = bench({ first: 'now' })
    task.start()
    task.again()
    task.again()
    expect(runs.length).to.equal(1)
    runs[0]?.end()
    await othersTurn()
    expect(runs.length).to.equal(2)
    runs[1]?.end()
    await othersTurn()
    expect(runs.length).to.equal(2)
    await task.stop()
  })

  it('settles after a run that began when it was asked', async () => {
    const { task, runs } = bench({ first: 'now' })
    task.start()
    let isSettled = false
    const settled = task.settled().then(() => (isSettled = true))
    runs[0]?.end()
    await othersTurn()
    expect([runs.length, isSettled]).to.deep.equal([2, false])
    runs[1]?.end()
    await settled
    await task.stop()
  })

  it('runs sooner than at the next interval', async () => {
    const { task, runs } = bench()
    task.soon(1)
    await pass(20)
    expect(runs.length, 'not before it is started').to.equal(0)
    task.start()
    task.soon(10)
    await pass(10)
    expect(runs.length).to.equal(1)
    runs[0]?.end()
    await task.stop()
  })

  it('stops after the run under way, which learns of it, and begins no other', async () => {
    const { task, runs } = bench({ first: 'now' })
    task.start()
    task.again()
    let isStopped = false
    const stopped = task.stop().then(() => (isStopped = true))
    task.again()
    await pass(3_000)
    expect([isStopped, runs.length, runs[0]?.signal.aborted]).to.deep.equal([false, 1, true])
    runs[0]?.end()
    await stopped
    task.again()
    await pass(3_000)
    expect(runs.length).to.equal(1)
  })

  it('starts again after a stop', async () => {
    const { task, runs } = bench({ first: 'now' })
    task.start()
    runs[0]?.end()
    await task.stop()
    task.start()
    expect([runs.length, runs[1]?.signal.aborted]).to.deep.equal([2, false])
    runs[1]?.end()
    await task.stop()
  })

  it('logs failures once and goes on', async () => {
    const { task, runs, lines } = bench()
    task.start()
    for (const index of [0, 1, 2]) {
      await pass(1_000)
      runs[index]?.fail(new Error('no database'))
      await othersTurn()
    }
    await pass(1_000)
    expect([runs.length, lines]).to.deep.equal([4, ['no poll']])
    runs[3]?.end()
    await task.stop()
    expect(lines).to.deep.equal(['no poll', 'no poll: over'])
  })

  it('keeps runs out of the request that asks for them', async () => {
    const requests = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    const log = { warn: () => undefined, info: () => undefined }
    const task = new RepeatingTask(
      { everyMs: 3_600_000, log, failure: ['test.failed', 'no poll'] },
      async () => {
        seen.push(requests.getStore())
      },
    )
    task.start()
    await requests.run('a request', async () => task.settled())
    await task.stop()
    expect(seen).to.deep.equal([undefined])
  })
})
