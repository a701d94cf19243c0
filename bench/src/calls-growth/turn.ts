/** What is measured of a world in a turn: calls by themselves, then calls and pages beside the sweep. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestWorkspace } from '../../../server/dist/test/support/appliance.js'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { cpuMs } from '../cpu.js'
import { median } from '../figures.js'
import { openSweep } from '../retention/sweep.js'
import { clientOf, rowsOfUnit } from './fill.js'
import { World } from './world.js'

export interface Amounts {
  calls: number
  perSecond: number
  requests: number
  /** Old units that the sweep finds. */
  old: number
}

interface CallTimes {
  /** Milliseconds of CPU of a call. */
  server: number
  mariadb: number
  /** Median milliseconds until it is accepted. */
  accepted: number
  /** Median milliseconds from then to its end, without those for which the far end rings. */
  rest: number
}

export interface Turn {
  quiet: CallTimes
  beside: CallTimes
  /** Median milliseconds by `<workspace> <list> <kind>`. */
  pages: Map<string, number>
  /** Rows that the sweep deleted in a second. */
  swept: number
  /** False where the sweep was done before the turn was. */
  isSweptThroughout: boolean
}

/** Answers after 220 ms. */
const number = '+12025550100'
const ringMs = 220

/** A kind of request is asked no more often than this allows. */
const kindMs = 5_000
const fewestRequests = 3

const pageSize = 20

export async function turnOf(world: World, amounts: Amounts): Promise<Turn> {
  const quiet = await makeCalls(world, amounts)
  await world.age(amounts.old)
  const had = [await world.oldCalls(), await world.oldMessages()]
  const { database, sweep } = await openSweep(world.mariadb, world.bench.appliance.databaseName)
  const began = performance.now()
  const sweeping = sweep.sweep()
  const beside = await makeCalls(world, amounts)
  const pages = await timePages(world, amounts.requests)
  await sweep.stop()
  await sweeping
  const seconds = (performance.now() - began) / 1_000
  await database.close()
  const left = [await world.oldCalls(), await world.oldMessages()]
  const [calls = 0, messages = 0] = had.map((before, place) => before - (left[place] ?? 0))
  return {
    ...{ quiet, beside, pages, swept: (calls * (rowsOfUnit - 3) + messages) / seconds },
    isSweptThroughout: left.some((rows) => rows > 0),
  }
}

/** Calls at a steady pace, each of which is answered and ends with its script. */
async function makeCalls(
  { bench, big, connection, pids }: World,
  { calls, perSecond }: Amounts,
): Promise<CallTimes> {
  const used = async () => ({ server: await cpuMs(pids.server), mariadb: await cpuMs(pids.mariadb) })
  const before = await used()
  const accepted: number[] = []
  const began = performance.now()
  const making: Promise<string>[] = []
  for (let call = 0; call < calls; call++) {
    await sleep(Math.max(0, began + (call * 1_000) / perSecond - performance.now()))
    const asked = performance.now()
    making.push(
      bench.call(number, [{ action: 'hangup' }]).then((id) => {
        accepted.push(performance.now() - asked)
        return id
      }),
    )
  }
  const ids = await Promise.all(making)
  await eventually(
    async () => {
      const [[row]] = (await connection.query(
        'SELECT COUNT(*) AS live FROM calls WHERE live = 1 AND workspace_id = ?',
        [big.id],
      )) as unknown as [[{ live: number }]]
      return row.live
    },
    (live) => live === 0,
    { withinMs: 60_000, everyMs: 200, what: 'end of all calls' },
  )
  const after = await used()
  const [rows] = (await connection.query(
    'SELECT status, TIMESTAMPDIFF(MICROSECOND, created_at, ended_at) / 1000 AS ms FROM calls WHERE id IN (?)',
    [ids],
  )) as unknown as [{ status: string; ms: string }[]]
  const failed = rows.filter(({ status }) => status !== 'completed').length + calls - rows.length
  if (failed > 0) throw new Error(`${failed} of ${calls} calls failed`)
  return {
    server: (after.server - before.server) / calls,
    mariadb: (after.mariadb - before.mariadb) / calls,
    accepted: median(accepted),
    rest: median(rows.map(({ ms }) => Number(ms))) - ringMs,
  }
}

/** In no row: a search for it reads all. */
const noMatch = 'zebra'

const lists = { calls: 'status=busy', messages: 'status=undelivered' } as const

/** Asks all pages of both workspaces. */
async function timePages(world: World, requests: number): Promise<Map<string, number>> {
  const times = new Map<string, number>()
  for (const size of ['small', 'big'] as const)
    for (const [list, filter] of Object.entries(lists)) {
      const kinds = {
        'first page': '',
        'first page that counts all': 'from=2000-01-01T00:00:00Z',
        filtered: filter,
        'last page': 'page=$last',
        'search, the oldest': `search=${clientOf(World.oldest[size])}`,
        'search, no match': `search=${noMatch}`,
      }
      for (const [kind, query] of Object.entries(kinds))
        times.set(`${size} ${list} ${kind}`, await timed(world[size], `/${list}`, query, requests))
    }
  return times
}

/** The median of a kind of request. One that the server gives up (503) counts with the time of that. */
async function timed({ api }: TestWorkspace, list: string, query: string, requests: number): Promise<number> {
  const first = `${list}?limit=${pageSize}`
  let path = `${first}&${query}`
  if (query.includes('$last')) {
    const { meta } = (await api.get(first)).body as { meta: { total_pages: number } }
    path = path.replace('$last', String(meta.total_pages))
  }
  const times: number[] = []
  const began = performance.now()
  // The first one is not counted: it brings the plan and the pages into memory.
  for (let count = 0; count <= requests; count++) {
    const asked = performance.now()
    const answer = await api.request('GET', path, { withinMs: 60_000 })
    if (answer.status !== 200 && answer.status !== 503)
      throw new Error(`GET ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    const found = (answer.body as { data?: readonly unknown[] }).data
    if (found?.length === 0 && !query.includes(noMatch)) throw new Error(`GET ${path} found nothing`)
    if (count > 0) times.push(performance.now() - asked)
    if (performance.now() - began > kindMs && times.length >= fewestRequests) break
  }
  return median(times)
}
