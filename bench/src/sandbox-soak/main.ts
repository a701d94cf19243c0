/**
 * Calls at the sandbox's far ends, so many at once for a while: none may fail, nothing may be left, and the server's memory
 * may not grow. Fails with exit code 1 when a call fails.
 * Settings: BENCH_CALLS_AT_ONCE (50), BENCH_CALL_SECONDS (20), BENCH_MINUTES (3).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { CallBench } from '../../../server/dist/test/support/call-bench.js'
import { freePorts } from '../../../server/dist/test/support/free-ports.js'
import { startMariadb } from '../../../server/dist/test/support/mariadb.js'
import { connectTo } from '../api/fill.js'
import { cpuMs } from '../cpu.js'
import { machine, median, percentile, printFigure, printTable, say } from '../figures.js'
import { type Kept, type Sample, keptAfterCollection, sampleOf } from './memory.js'
import { Traffic } from './traffic.js'

const atOnce = Number(process.env['BENCH_CALLS_AT_ONCE'] ?? 50)
const callSeconds = Number(process.env['BENCH_CALL_SECONDS'] ?? 20)
const minutes = Number(process.env['BENCH_MINUTES'] ?? 3)

const credit = 1_000_000
const everyMs = 10_000

/** After this share of the run the caches are full and all calls are up: memory must not grow from here on. */
const warm = 0.2
/** All calls are up when the first one ends. */
const rampMs = callSeconds * 1_000 + everyMs

interface Seen extends Sample {
  live: number
}

async function soak(bench: CallBench, traffic: Traffic, metricsPort: number, inspectorPort: number) {
  const pid = bench.appliance.serverPid
  const began = performance.now()
  const ms = minutes * 60_000
  const cpuBefore = await cpuMs([pid])
  const running = traffic.run(atOnce, began + ms)
  const seen: Seen[] = []
  let early: Kept | undefined
  for (let at = everyMs; at <= ms; at += everyMs) {
    await sleep(Math.max(0, began + at - performance.now()))
    seen.push({ ...(await sampleOf(pid, metricsPort, began)), live: await traffic.live() })
    if (!early && at >= Math.max(warm * ms, rampMs)) {
      early = await keptAfterCollection(pid, inspectorPort)
      // The collection's own pause is no part of the next look at the event loop.
      await sampleOf(pid, metricsPort, began)
    }
  }
  const late = await keptAfterCollection(pid, inspectorPort)
  await running
  const cpu = (await cpuMs([pid])) - cpuBefore
  if (!early) throw new Error('too short for all calls to be up: BENCH_MINUTES, BENCH_CALL_SECONDS')
  return { seen, early, late, cpu }
}

function show(
  { seen, early, late, cpu }: Awaited<ReturnType<typeof soak>>,
  traffic: Traffic,
  latest: number,
): void {
  const [whole, part] = [seen.length, Math.max(1, Math.floor(seen.length / 5))]
  const fifths = Array.from({ length: 5 }, (_, fifth) =>
    seen.slice(fifth * part, fifth === 4 ? whole : (fifth + 1) * part),
  )
  const row = (what: string, of: (some: readonly Seen[]) => number, digits = 0) => [
    what,
    ...fifths.map((some) => of(some).toFixed(digits)),
  ]
  printTable(
    ['fifths of the run', '1', '2', '3', '4', '5'],
    [
      row('live calls', (some) => median(some.map(({ live }) => live))),
      row('resident memory, MB', (some) => median(some.map(({ residentMb }) => residentMb))),
      row('heap, MB', (some) => median(some.map(({ heapMb }) => heapMb))),
      row('event loop late, ms p99 (the worst look)', (some) =>
        Math.max(...some.map(({ loopP99 }) => loopP99)),
      ),
    ],
  )
  const of = (what: (kept: Kept) => number) => [early, late].map((kept) => what(kept).toFixed(1)).join(' / ')
  say()
  printTable(
    ['', ''],
    [
      ['calls', String(traffic.made)],
      ['server CPU of a call, ms', (cpu / traffic.made).toFixed(1)],
      [
        'accepted within, ms p50 / p99',
        [0.5, 0.99].map((share) => percentile(traffic.accepted, share).toFixed(0)).join(' / '),
      ],
      ['longest call, s beyond what it heard', String(latest)],
      ['calls not begun, with 100 requests in progress', String(traffic.held)],
      ['heap after a collection, MB, early / at the end', of(({ heapMb }) => heapMb)],
      ['resident memory after it, MB', of(({ residentMb }) => residentMb)],
    ],
  )
  const delays = seen.slice(Math.floor(warm * seen.length)).map(({ loopP99 }) => loopP99)
  say()
  printFigure(
    'event loop of the server late at p99, ms: the median of its looks',
    median(delays),
    undefined,
    0,
  )
  for (const [what, ratio] of [
    ['heap', late.heapMb / early.heapMb],
    ['resident memory', late.residentMb / early.residentMb],
  ] as const)
    printFigure(`${what} of the server at the end, to after the first fifth`, ratio, { atMost: 1.1 })
}

async function measure(): Promise<boolean> {
  say(`bench/sandbox-soak: ${machine()}`)
  const [metricsPort = 0, inspectorPort = 0] = await freePorts(2)
  const mariadb = await startMariadb({ durable: true })
  const given = process.env['BENCH_SERVER_NODE_OPTIONS'] ?? ''
  const bench = await CallBench.start('sandbox', {
    ...{ mariadb, credit },
    settings: {
      JACKFIELD_METRICS_PORT: String(metricsPort),
      NODE_OPTIONS: `${given} --inspect=127.0.0.1:${inspectorPort}`.trim(),
    },
  })
  const database = await connectTo(bench.appliance)
  try {
    const traffic = await Traffic.start(bench, database, callSeconds)
    say(`${atOnce} calls at once, of ${callSeconds} s each, for ${minutes} min`)
    const seen = await soak(bench, traffic, metricsPort, inspectorPort)
    const problems = await traffic.problems(credit)
    show(seen, traffic, await traffic.latest())
    for (const [what, count] of problems) say(`${count} x ${what}`)
    const all = [...problems.values()].reduce((sum, count) => sum + count, 0)
    printFigure(`problems with ${atOnce} calls at once on the sandbox`, all, { atMost: 0 }, 0)
    return all === 0
  } finally {
    await database.end()
    await bench.stop()
    await mariadb.stop()
  }
}

process.exitCode = (await measure()) ? 0 : 1
process.exit()
