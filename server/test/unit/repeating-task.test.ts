import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { RepeatingTask } from '../../src/lib/repeating-task.js'
import { eventually } from '../support/api-client.js'

/** A task whose runs end when the test says so, and what it has logged. */
function bench(options: { everyMs?: number; first?: 'now' | 'later' } = {}) {
  const runs: { end: () => void; fail: (error: Error) => void; signal: AbortSignal }[] = []
  const lines: string[] = []
  const write = (_: object, text: string) => lines.push(text)
  const task = new RepeatingTask(
    {
      ...{ everyMs: 3_600_000, ...options },
      log: { warn: write as never, info: write as never },
      failure: ['test.failed', 'no poll'],
    },
    async (signal) => new Promise<void>((end, fail) => runs.push({ end, fail, signal })),
  )
  const begun = async (count: number) =>
    eventually(
      async () => runs.length,
      (length) => length === count,
      { everyMs: 1 },
    )
  return { task, runs, lines, begun }
}

describe('a repeating task', () => {
  it('runs at the start, or an interval later', async () => {
    const [now, later] = [bench({ first: 'now' }), bench({ everyMs: 30 })]
    now.task.start()
    later.task.start()
    expect([now.runs.length, later.runs.length]).to.deep.equal([1, 0])
    await later.begun(1)
    for (const { task, runs } of [now, later]) {
      runs[0]?.end()
      await task.stop()
    }
  })

  it('leaves out what falls into a run, and goes on after it', async () => {
    const { task, runs, begun } = bench({ everyMs: 10, first: 'now' })
    task.start()
    await sleep(60)
    expect(runs.length).to.equal(1)
    runs[0]?.end()
    await begun(2)
    runs[1]?.end()
    await task.stop()
  })

  it('runs once more when it is asked several times during a run', async () => {
    const { task, runs, begun } = bench({ first: 'now' })
    task.start()
    task.again()
    task.again()
    expect(runs.length).to.equal(1)
    runs[0]?.end()
    await begun(2)
    runs[1]?.end()
    await task.stop()
    expect(runs.length).to.equal(2)
  })

  it('settles after a run that began when it was asked', async () => {
    const { task, runs, begun } = bench({ first: 'now' })
    task.start()
    let isSettled = false
    const settled = task.settled().then(() => (isSettled = true))
    runs[0]?.end()
    await begun(2)
    expect(isSettled).to.equal(false)
    runs[1]?.end()
    await settled
    await task.stop()
  })

  it('runs sooner than at the next interval', async () => {
    const { task, runs, begun } = bench()
    task.soon(1)
    await sleep(20)
    expect(runs.length, 'not before it is started').to.equal(0)
    task.start()
    task.soon(10)
    await begun(1)
    runs[0]?.end()
    await task.stop()
  })

  it('stops after the run under way, which learns of it, and begins no other', async () => {
    const { task, runs } = bench({ everyMs: 10, first: 'now' })
    task.start()
    task.again()
    let isStopped = false
    const stopped = task.stop().then(() => (isStopped = true))
    task.again()
    await sleep(30)
    expect([isStopped, runs.length, runs[0]?.signal.aborted]).to.deep.equal([false, 1, true])
    runs[0]?.end()
    await stopped
    task.again()
    await sleep(30)
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
    const { task, runs, lines, begun } = bench({ everyMs: 5, first: 'now' })
    task.start()
    for (const index of [0, 1, 2]) {
      await begun(index + 1)
      runs[index]?.fail(new Error('no database'))
    }
    await begun(4)
    expect(lines).to.deep.equal(['no poll'])
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
