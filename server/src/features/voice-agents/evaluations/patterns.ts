/**
 * Customers' regular expressions. One of them could run for ever and block the server, so they run in a thread of their
 * own that is ended when its time is over.
 */
import { Worker } from 'node:worker_threads'

export interface PatternJob {
  readonly pattern: string
  readonly text: string
}

/** For all of them together. */
const deadlineMs = 2_000
/** For the thread's start, which takes its time on a busy machine. */
const startMs = 10_000

/** What the thread does: it answers each job by its index. */
const program = `
  const { parentPort, workerData } = require('node:worker_threads')
  for (const [index, { pattern, text }] of workerData.entries()) {
    parentPort.postMessage([index, new RegExp(pattern, 'iu').test(text)])
  }`

/** Whether each text matches its pattern; null if that was not known in time. */
export async function matchAll(jobs: readonly PatternJob[]): Promise<(boolean | null)[]> {
  const found = jobs.map((): boolean | null => null)
  if (jobs.length === 0) return found
  const limits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }
  const worker = new Worker(program, { eval: true, workerData: jobs, resourceLimits: limits, env: {} })
  worker.on('message', ([index, matches]: [number, boolean]) => (found[index] = matches))
  await new Promise<void>((resolve) => {
    const stop = () => void worker.terminate()
    let timer = setTimeout(stop, startMs)
    worker.on('online', () => {
      clearTimeout(timer)
      timer = setTimeout(stop, deadlineMs)
    })
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    // What fails in the thread leaves its jobs unanswered. An error is followed by the exit.
    worker.on('error', () => undefined)
    worker.on('exit', end)
  })
  return found
}
