import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { CoalescedTask } from '../../src/lib/coalesced-task.js'
import { eventually } from '../support/api-client.js'

interface Run {
  end: (pauseMs?: number) => void
  fail: (error: Error) => void
  signal: AbortSignal
}

/** A task whose runs end when the test says so, and what it has logged. */
function bench(options: { gatherMs?: number; retryMs?: number } = {}) {
  const runs: Run[] = []
  const lines: string[] = []
  const write = (_: object, text: string) => lines.push(text)
  const task = new CoalescedTask(
    {
      gatherMs: 5,
      ...options,
      log: { warn: write as never, info: write as never },
      failure: ['test.failed', 'no news'],
    },
    async (signal) =>
      new Promise<number | undefined>((end, fail) => runs.push({ end: (ms) => end(ms), fail, signal })),
  )
  const begun = async (count: number) =>
    eventually(
      async () => runs.length,
      (length) => length === count,
      { everyMs: 1 },
    )
  return { task, runs, lines, begun }
}

describe('a coalesced task', () => {
  it('runs once, a moment later, for all that is asked until then', async () => {
    const { task, runs, begun } = bench({ gatherMs: 30 })
    for (let count = 0; count < 3; count++) task.soon()
    expect(runs.length).to.equal(0)
    await begun(1)
    runs[0]?.end()
    await sleep(60)
    expect(runs.length).to.equal(1)
    await task.stop()
  })

  it('runs once more for what is asked during a run, after the pause that the run wants', async () => {
    const { task, runs, begun } = bench()
    task.soon()
    await begun(1)
    task.soon()
    task.soon()
    runs[0]?.end(100)
    await sleep(40)
    expect(runs.length).to.equal(1)
    await begun(2)
    runs[1]?.end()
    await sleep(20)
    expect(runs.length).to.equal(2)
    await task.stop()
  })

  it('tries again what has failed, and logs it once', async () => {
    const { task, runs, lines, begun } = bench({ retryMs: 5 })
    task.soon()
    for (const index of [0, 1]) {
      await begun(index + 1)
      runs[index]?.fail(new Error('no database'))
    }
    await begun(3)
    runs[2]?.end()
    await task.stop()
    expect(lines).to.deep.equal(['no news', 'no news: over'])
  })

  it('does not try again what has failed unless it is to', async () => {
    const { task, runs, lines, begun } = bench()
    task.soon()
    await begun(1)
    runs[0]?.fail(new Error('no database'))
    await sleep(30)
    expect([runs.length, lines]).to.deep.equal([1, ['no news']])
    task.soon()
    await begun(2)
    runs[1]?.end()
    await task.stop()
  })

  it('stops after the run under way, which learns of it, and begins no other', async () => {
    const { task, runs, begun } = bench()
    task.soon()
    await begun(1)
    task.soon()
    let isStopped = false
    const stopped = task.stop().then(() => (isStopped = true))
    await sleep(20)
    expect([isStopped, runs[0]?.signal.aborted]).to.deep.equal([false, true])
    runs[0]?.end()
    await stopped
    task.soon()
    await sleep(30)
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
    await eventually(
      async () => seen,
      ([first]) => seen.length === 1 && first === undefined,
    )
    await task.stop()
  })
})
