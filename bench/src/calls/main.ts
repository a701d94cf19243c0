/**
 * Completed calls a second (answer, 1 s of audio, hang-up) through the API beside bare originates on the
 * same FreeSWITCH, in turns, with a number of calls always in flight.
 * Settings: BENCH_IN_FLIGHT ("10,25,50,100"), BENCH_ROUNDS, BENCH_CALLS (of each line in a turn).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { machine, median, percentile, printTable, say, printFigure } from '../figures.js'
import { type CallTimes, Caller } from './ways.js'
import { type PartName, cpuPerCall, partNames } from './parts.js'
import { World } from './world.js'

const inFlight = (process.env['BENCH_IN_FLIGHT'] ?? '10,25,50,100').split(',').map(Number)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const callsPerLine = Number(process.env['BENCH_CALLS'] ?? 8)

/** Least ratio to a bare originate, by calls in flight. */
const aims: Readonly<Record<number, number>> = { 10: 0.95, 25: 0.93, 50: 0.92, 100: 0.75 }

/** Waits of a call for rows that others have locked, at most. */
const mostLockWaits = 0.3

interface Turn {
  perSecond: number
  calls: CallTimes[]
  /** CPU a call. */
  cpu: Record<PartName, number>
  /** Waits for locks of rows a call, and how long they took, in milliseconds. */
  lockWaits: number
  lockMs: number
}

/** Lines that call again and again; each begins at its own moment of the first second. */
async function turn(world: World, caller: Caller, lines: number, callsEach = callsPerLine): Promise<Turn> {
  caller.listen()
  const calls: CallTimes[] = []
  const before = await locksOf(world)
  const { result: perSecond, cpu } = await cpuPerCall(
    world.parts,
    async () => {
      const rates = await Promise.all(
        Array.from({ length: lines }, async (_, line) => {
          await sleep((1_000 * line) / lines)
          const began = performance.now()
          for (let made = 0; made < callsEach; made++) calls.push(await caller.call())
          return (callsEach * 1_000) / (performance.now() - began)
        }),
      )
      await world.events.untilIdle(5_000)
      return rates.reduce((sum, rate) => sum + rate, 0)
    },
    () => calls.length,
  )
  const after = await locksOf(world)
  const each = (name: 'waits' | 'ms') => (after[name] - before[name]) / calls.length
  return { perSecond, calls, cpu, lockWaits: each('waits'), lockMs: each('ms') }
}

/** How often transactions have waited for rows, and for how long, since MariaDB started. */
async function locksOf({ database }: World): Promise<{ waits: number; ms: number }> {
  const [rows] = (await database.query("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_%'")) as unknown as [
    { Variable_name: string; Value: string }[],
  ]
  const of = (name: string) => Number(rows.find(({ Variable_name }) => Variable_name === name)?.Value)
  return { waits: of('Innodb_row_lock_waits'), ms: of('Innodb_row_lock_time') }
}

/** Every call made through the API must stand in the table as completed. */
async function checkRows(world: World, calls: number): Promise<void> {
  const completed = `SELECT COUNT(*) FROM calls WHERE live IS NULL AND status = 'completed'`
  const until = Date.now() + 10_000
  while ((await world.count(completed)) < calls) {
    if (Date.now() > until) throw new Error(`${await world.count(completed)} of ${calls} calls are completed`)
    await sleep(50)
  }
}

function delays(turns: readonly Turn[], invites: Map<string, number>, from: 'asked' | 'accepted'): string {
  const samples = turns.flatMap(({ calls }) =>
    calls.map((call) => (invites.get(call.number) ?? Number.NaN) - call[from]),
  )
  return [0.5, 0.99].map((share) => percentile(samples, share).toFixed(0)).join(' / ')
}

function row(name: string, turns: readonly Turn[], invites: Map<string, number>, ratio: string): string[] {
  return [
    name,
    median(turns.map(({ perSecond }) => perSecond)).toFixed(1),
    ratio,
    delays(turns, invites, 'asked'),
    delays(turns, invites, 'accepted'),
    ...partNames.map((part) => median(turns.map(({ cpu }) => cpu[part])).toFixed(1)),
    median(turns.map(({ lockWaits }) => lockWaits)).toFixed(2),
    median(turns.map(({ lockMs }) => lockMs)).toFixed(0),
  ]
}

async function measure(world: World): Promise<void> {
  const api = new Caller(world, 'api')
  const bare = new Caller(world, 'bare')
  await turn(world, api, 10, 2)
  await turn(world, bare, 10, 2)
  let made = 20
  const table: string[][] = []
  const ratios: [lines: number, ratio: number, lockWaits: number][] = []
  for (const lines of inFlight) {
    const turns: { api: Turn[]; bare: Turn[] } = { api: [], bare: [] }
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? (['api', 'bare'] as const) : (['bare', 'api'] as const)
      for (const way of order) turns[way].push(await turn(world, way === 'api' ? api : bare, lines))
    }
    made += rounds * lines * callsPerLine
    await checkRows(world, made)
    const invites = await world.carrier.invites()
    const ratio = median(
      turns.api.map(({ perSecond }, index) => perSecond / (turns.bare[index]?.perSecond ?? 1)),
    )
    ratios.push([lines, ratio, median(turns.api.map(({ lockWaits }) => lockWaits))])
    table.push(row(`${lines} in flight: API`, turns.api, invites, ratio.toFixed(3)))
    table.push(row(`${lines} in flight: bare`, turns.bare, invites, ''))
  }
  const headings = [
    'calls',
    'calls/s',
    'ratio',
    'asked>INVITE',
    'accepted>INVITE',
    ...partNames,
    'lock waits',
    'ms',
  ]
  say(
    `medians of ${rounds} turns of ${callsPerLine} calls a line; INVITE: p50 / p99 ms; parts: CPU ms a call; waits for rows a call`,
  )
  printTable(headings, table)
  for (const [lines, ratio] of ratios) {
    printFigure(`calls/s with ${lines} in flight, to a bare originate`, ratio, { atLeast: aims[lines] ?? 0 })
  }
  const waits = Math.max(...ratios.map(([, , one]) => one))
  printFigure('waits of an outbound call for rows that others lock, the most', waits, {
    atMost: mostLockWaits,
  })
}

say(`bench/calls: ${machine()}`)
const world = await World.start()
try {
  await measure(world)
} finally {
  await world.stop()
}
process.exit(0)
