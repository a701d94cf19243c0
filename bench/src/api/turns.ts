/** Two servers under the same load, in turns. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import type { Appliance } from '../../../server/dist/test/support/appliance.js'
import { cpuMs, processesWith } from '../cpu.js'
import { median } from '../figures.js'
import type { LoadOrder, LoadResult } from './load.js'

/** A server under load: where it listens and how it is asked. */
export interface Target {
  name: string
  pid: number
  /** Processes of its MariaDB. */
  database: readonly number[]
  order: LoadOrder
}

export interface Turn extends LoadResult {
  /** Of the server's process, a request. */
  cpuMs: number
  databaseMs: number
}

const warmUpMs = 3_000

export const heads = ['requests/s', 'p50 ms', 'p99 ms', 'server CPU ms', 'MariaDB CPU ms']

/** The MariaDB of an appliance, which nothing else may use meanwhile. */
export async function databaseOf({ mariadb }: Appliance): Promise<number[]> {
  return processesWith(`--defaults-file=${dirname(mariadb.socket)}`)
}

async function turn(load: ChildProcess, { name, pid, database, order }: Target, ms: number): Promise<Turn> {
  const before = [await cpuMs([pid]), await cpuMs(database)] as const
  load.send({ ...order, ms })
  const [result] = (await once(load, 'message', { signal: AbortSignal.timeout(ms + 20_000) })) as [LoadResult]
  if (result.failed > 0) throw new Error(`${result.failed} requests to ${name} failed`)
  const requests = result.perSecond * (ms / 1000)
  const used = [(await cpuMs([pid])) - before[0], (await cpuMs(database)) - before[1]] as const
  return { ...result, cpuMs: used[0] / requests, databaseMs: used[1] / requests }
}

/** Turns of both, one after the other, the first one changing. */
export async function compare(
  load: ChildProcess,
  targets: readonly [Target, Target],
  rounds: number,
): Promise<[Turn[], Turn[]]> {
  const turns: [Turn[], Turn[]] = [[], []]
  for (const target of targets) await turn(load, target, warmUpMs)
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)
    for (const index of order) turns[index].push(await turn(load, targets[index], targets[index].order.ms))
  }
  return turns
}

/** The medians of some turns, under {@link heads}. */
export function middle(turns: readonly Turn[]): string[] {
  const of = (value: (turn: Turn) => number) => median(turns.map(value))
  return [
    of(({ perSecond }) => perSecond).toFixed(0),
    of(({ p50 }) => p50).toFixed(1),
    of(({ p99 }) => p99).toFixed(1),
    of((one) => one.cpuMs).toFixed(2),
    of(({ databaseMs }) => databaseMs).toFixed(2),
  ]
}
