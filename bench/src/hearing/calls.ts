import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { soundAnalysis } from '../../../server/dist/src/adapters/speech/sound/sound-analysis.js'
import { framesOf } from '../../../server/dist/test/support/judged.js'
import { percentile, printTable, say, printFigure } from '../figures.js'
import { rate } from './sound.js'

const calls = Number(process.env['BENCH_CALLS'] ?? 50)
const seconds = Number(process.env['BENCH_SECONDS'] ?? 15)
const frameMs = 20

/** How late frames of many calls are judged, at the pace of speech: all of them speak, and all have their noise taken out. */
export async function manyCalls(heard: Int16Array): Promise<void> {
  const rows = []
  let last: number[] = []
  for (const isCleaned of [false, true]) {
    const late = await run(heard, isCleaned)
    rows.push([
      isCleaned ? 'judged, and cleaned of noise' : 'judged',
      ...[0.5, 0.99, 1].map((share) => percentile(late.judged, share).toFixed(0)),
      ...[0.5, 0.99, 1].map((share) => (isCleaned ? percentile(late.cleaned, share).toFixed(0) : '')),
      (late.cpu * 100).toFixed(0),
      late.loopMs.toFixed(1),
    ])
    last = late.judged
  }
  say(`${calls} calls that speak all at once: milliseconds from a frame to its result`)
  printTable(
    ['', 'judged p50', 'p99', 'max', 'cleaned p50', 'p99', 'max', '% of a core', 'event loop p99'],
    rows,
  )
  printFigure(`ms until frames of ${calls} calls are judged, p99`, percentile(last, 0.99), { atMost: 40 }, 0)
}

async function run(heard: Int16Array, isCleaned: boolean) {
  const frames = framesOf(heard, rate)
  const judged: number[] = []
  const cleaned: number[] = []
  const streams = await Promise.all(
    Array.from({ length: calls }, async (_, call) => {
      const sentAt: number[] = []
      const toClean: number[] = []
      const stream = await soundAnalysis.open(rate, {
        judged: () => judged.push(performance.now() - (sentAt.shift() ?? 0)),
        cleaned: () => cleaned.push(performance.now() - (toClean.shift() ?? 0)),
        failed: (error) => {
          throw error
        },
      })
      return { stream, sentAt, toClean, at: call * 37, dueAt: performance.now() + (call * frameMs) / calls }
    }),
  )
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const before = process.cpuUsage()
  const began = performance.now()
  const silence = new Int16Array(rate / 50)
  while (performance.now() - began < seconds * 1_000) {
    const now = performance.now()
    for (const one of streams) {
      for (; one.dueAt <= now; one.dueAt += frameMs) {
        const frame = frames[one.at++ % frames.length] ?? silence
        one.sentAt.push(now)
        one.stream.hear(frame, silence)
        if (!isCleaned) continue
        one.toClean.push(now)
        one.stream.clean(1, frame)
      }
    }
    await sleep(1)
  }
  const { user, system } = process.cpuUsage(before)
  const cpu = (user + system) / 1_000 / (performance.now() - began)
  loop.disable()
  for (const { stream } of streams) stream.close()
  return { judged, cleaned, cpu, loopMs: loop.percentile(99) / 1e6 }
}
