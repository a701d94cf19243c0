/**
 * Accepted messages to an SMSC, beside a bare client that keeps the same window full, in turns and on the same SMSC.
 * Settings: BENCH_MESSAGES of a turn [6000], BENCH_ROUNDS [3], BENCH_LINES: window and milliseconds to the answer
 * ["10:20,50:20,100:50,500:0"].
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stopSharedMariadb } from '../../../server/dist/test/support/mariadb.js'
import { TextBench } from '../../../server/dist/test/support/text-bench.js'
import { cpuMs, processesWith } from '../cpu.js'
import { machine, median, printTable, say, printFigure } from '../figures.js'
import type { SmscOrder, SmscReport } from './lean-smsc.js'

const most = Number(process.env['BENCH_MESSAGES'] ?? 6_000)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)
const lines = (process.env['BENCH_LINES'] ?? '10:20,50:20,100:50,500:0')
  .split(',')
  .map((line) => line.split(':').map(Number) as [number, number])

const text = 'Your code is 123456. It is valid for ten minutes.'
const deadlineMs = 120_000

/** Time for a carrier's lease to be released. */
const settleMs = 2_500

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The SMSC, asked over its channel. */
class LeanSmsc {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(): Promise<LeanSmsc> {
    const child = fork(script('lean-smsc.js'))
    const [{ port }] = (await once(child, 'message')) as [SmscReport]
    return new LeanSmsc(child, port)
  }

  async ask(order: SmscOrder | 'report'): Promise<SmscReport> {
    const answer = once(this.child, 'message') as Promise<[SmscReport]>
    this.child.send(order)
    return (await answer)[0]
  }

  /** Messages a second, once it has all of them. */
  async rate(count: number): Promise<number> {
    const end = Date.now() + deadlineMs
    for (;;) {
      const { count: taken, first, last } = await this.ask('report')
      if (taken >= count) return (count * 1000) / (last - first)
      if (Date.now() > end) throw new Error(`${taken} of ${count} messages in time`)
      await sleep(100)
    }
  }

  stop(): void {
    this.child.disconnect()
  }
}

interface Turn {
  rate: number
  /** Milliseconds of CPU a message, of the server and of the database. */
  server: number
  database: number
}

async function bare(smsc: LeanSmsc, window: number, answerMs: number, count: number): Promise<number> {
  await smsc.ask({ answerMs })
  const client = fork(script('bare-client.js'), [smsc.port, window, count, text].map(String))
  const rate = await smsc.rate(count)
  if (client.exitCode === null) await once(client, 'exit')
  return rate
}

interface World {
  bench: TextBench
  smsc: LeanSmsc
  carrier: string
}

/** Messages wait, the carrier is switched on, and all that is accepted goes out. */
async function ours(
  { bench, smsc, carrier }: World,
  [window, answerMs]: readonly [number, number],
  count: number,
): Promise<Turn> {
  const { operator, serverPid } = bench.appliance
  await operator.patch(`/carriers/${carrier}`, { window_size: window, is_active: false })
  await sleep(settleMs)
  const ids = await bench.accept(count, carrier, { body: text })
  const [variables] = (await bench.query('SELECT @@datadir AS data')) as { data: string }[]
  const databases = await processesWith(dirname(variables?.data ?? ''))
  const used = async () => [await cpuMs([serverPid]), await cpuMs(databases)] as const
  const before = await used()
  await smsc.ask({ answerMs })
  await operator.patch(`/carriers/${carrier}`, { is_active: true })
  const rate = await smsc.rate(count)
  await bench.become(ids, 'sent', deadlineMs)
  const after = await used()
  return { rate, server: (after[0] - before[0]) / count, database: (after[1] - before[1]) / count }
}

async function compare(world: World, line: readonly [number, number]): Promise<string[]> {
  const [window, answerMs] = line
  // A turn of some seconds, whatever the line is capable of.
  const count = answerMs === 0 ? most : Math.min(most, Math.round((4_000 * window) / answerMs))
  const alone: number[] = []
  const turns: Turn[] = []
  for (let round = 0; round < rounds; round++) {
    alone.push(await bare(world.smsc, window, answerMs, count))
    turns.push(await ours(world, line, count))
  }
  const [bareRate, ourRate] = [median(alone), median(turns.map(({ rate }) => rate))]
  return [
    `window ${window}, answers after ${answerMs} ms`,
    ...[bareRate.toFixed(0), ourRate.toFixed(0), (ourRate / bareRate).toFixed(2)],
    ...[
      median(turns.map(({ server }) => server)).toFixed(2),
      median(turns.map((one) => one.database)).toFixed(2),
    ],
  ]
}

async function main(): Promise<void> {
  say(machine())
  const smsc = await LeanSmsc.start()
  const bench = await TextBench.start()
  try {
    const carrier = await bench.carrier(smsc.port, { throughput: 10_000 })
    const world = { bench, smsc, carrier }
    await bench.up(carrier)
    const rows = []
    for (const line of lines) rows.push(await compare(world, line))
    say(`messages a second, medians of ${rounds} turns; CPU in milliseconds a message`)
    printTable(['', 'bare client', 'Jackfield', 'ratio', 'CPU server', 'CPU MariaDB'], rows)
    for (const [index, [window, answerMs]] of lines.entries()) {
      const aim = answerMs > 0 ? { atLeast: 0.6 } : undefined // carriers take their time
      const what = `messages/s, window ${window}, answers after ${answerMs} ms, to a bare client`
      printFigure(what, Number(rows[index]?.[3]), aim)
    }
  } finally {
    await bench.stop()
    smsc.stop()
    await stopSharedMariadb()
  }
}

await main()
