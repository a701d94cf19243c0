/**
 * Calls of a carrier to a switch (SIPp), each ended by the switch as soon as it is answered: through our edge, which knows who may call
 * which number, through a stock Kamailio that passes all on, and without either, in turns.
 * Settings: BENCH_PASSED_CALLS [3000], BENCH_ROUNDS [5], BENCH_WORKERS [4].
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EdgeWorld } from '../../../server/dist/test/edge/accounts.js'
import { newAcl, newNumber } from '../../../server/dist/test/edge/trunks.js'
import { Child } from '../../../server/dist/test/support/child.js'
import { freePorts, sippPorts } from '../../../server/dist/test/support/free-ports.js'
import { databaseOfKamailio } from '../../../server/dist/test/support/kamailio.js'
import type { Mariadb } from '../../../server/dist/test/support/mariadb.js'
import { cpuMs, processesWith } from '../cpu.js'
import { median, printFigure, printTable, say } from '../figures.js'
import { confirmKept } from './confirmed.js'
import { startRelay } from './relay.js'

const scenario = (name: string): string => fileURLToPath(new URL(`../../sipp/${name}.xml`, import.meta.url))
const calls = Number(process.env['BENCH_PASSED_CALLS'] ?? 3_000)
const atOnce = 20
/** One answer that overtakes another ends a call of SIPp's. */
const mayFail = 0.01
const deadlineMs = 120_000
const host = '127.0.0.81'

interface Way {
  name: string
  /** `host:port` that calls are sent to. */
  server: string
  /** Of what passes them on. */
  pids: number[]
  rates: number[]
  kamailioMs: number[]
  databaseMs: number[]
}

async function call({ server }: Way, user: string): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'jackfield-bench-carrier-'))
  const { port, controlPort } = await sippPorts()
  const began = performance.now()
  const sipp = await Child.start(
    'sipp',
    [
      ...[
        server,
        '-sf',
        scenario('edge-caller'),
        '-s',
        user,
        '-i',
        host,
        '-p',
        String(port),
        '-cp',
        String(controlPort),
      ],
      ...['-t', 'u1', '-nostdin', '-m', String(calls), '-l', String(atOnce), '-r', '20000'],
      // two processes may let one answer overtake another
      ...['-default_behaviors', 'all,-abortunexp', '-deadcall_wait', '0'],
    ],
    { cwd: directory, env: { TERM: 'dumb' } },
  )
  try {
    const code = await sipp.exitCode(deadlineMs)
    const failed = Number(/Failed call .*\|\s*(\d+)/.exec(sipp.output)?.[1] ?? 0)
    if (code !== 0 && (code !== 1 || failed > calls * mayFail))
      throw new Error(`SIPp ended with ${code}: ${sipp.output.slice(-2000)}`)
    return (calls * 1000) / (performance.now() - began)
  } finally {
    await sipp.stop(500)
    await rm(directory, { recursive: true, force: true })
  }
}

/** @param database its processes */
export async function measureCalls(
  mariadb: Mariadb,
  database: readonly number[],
  { rounds, workers }: { rounds: number; workers: number },
): Promise<void> {
  const closing: (() => Promise<unknown>)[] = []
  try {
    const [switchPort = 0, controlPort = 0] = await freePorts(2)
    const fabric = await Child.start(
      'sipp',
      [
        ...[
          '-sf',
          scenario('edge-switch'),
          '-i',
          '127.0.0.1',
          '-p',
          String(switchPort),
          '-cp',
          String(controlPort),
        ],
        ...['-t', 'u1', '-nostdin', '-deadcall_wait', '0'],
      ],
      { env: { TERM: 'dumb' } },
    )
    closing.unshift(async () => fabric.stop(500))
    const name = await mariadb.createDatabase()
    await mariadb.migrate(name)
    const world = await EdgeWorld.start(
      { workers, switchPort, database: databaseOfKamailio(mariadb, name) },
      mariadb,
    )
    closing.unshift(async () => world.stop())
    closing.unshift(await confirmKept(world.edge, 'numbers'))
    const { number } = await newNumber(world, await newAcl(world, [host]))
    const relay = await startRelay(workers, switchPort)
    closing.unshift(async () => relay.stop())
    const { sipHost, sipPort, directory } = world.edge.options
    const way = async (title: string, server: string, of?: string): Promise<Way> => {
      const pids = of ? await processesWith(of) : []
      return { name: title, server, pids, rates: [], kamailioMs: [], databaseMs: [] }
    }
    const ways = [
      await way('Jackfield', `${sipHost}:${sipPort}`, directory),
      await way('stock Kamailio', `127.0.0.1:${relay.port}`, relay.directory),
      await way('neither', `127.0.0.1:${switchPort}`),
    ] as const
    for (let round = 0; round <= rounds; round++) {
      for (const one of round % 2 === 0 ? ways : ways.toReversed()) {
        const [kamailio, asked] = [await cpuMs(one.pids), await cpuMs(database)]
        const rate = await call(one, number)
        // The first round warms up.
        if (round === 0) continue
        one.rates.push(rate)
        one.kamailioMs.push(((await cpuMs(one.pids)) - kamailio) / calls)
        one.databaseMs.push(((await cpuMs(database)) - asked) / calls)
      }
    }
    say()
    printTable(
      ['calls by way of', 'calls/s', 'kamailio ms', 'mariadb ms'],
      ways.map((one) => [
        one.name,
        median(one.rates).toFixed(0),
        median(one.kamailioMs).toFixed(3),
        median(one.databaseMs).toFixed(3),
      ]),
    )
    const ratios = ways[0].rates.map((rate, round) => rate / (ways[1].rates[round] ?? 1))
    printFigure('calls/s through the edge, to a stock Kamailio that passes all on', median(ratios))
  } finally {
    for (const close of closing) await close().catch(() => undefined)
  }
}
