/**
 * The sweep of what is older than it is kept, among millions of rows: how many it deletes in a second, how long its
 * longest statement takes, and what that does to the writes of a call beside it.
 * Settings: BENCH_CALLS (500000), BENCH_EVENTS (of each call, 20), BENCH_SECONDS (of the sweep, 120).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, createConnection } from 'mysql2/promise'
import { startMariadb } from '../../../server/dist/test/support/mariadb.js'
import { machine, median, percentile, printTable, say, printFigure } from '../figures.js'
import { fillCalls } from './fill.js'
import { openSweep } from './sweep.js'

const calls = Number(process.env['BENCH_CALLS'] ?? 500_000)
const eventsOfCall = Number(process.env['BENCH_EVENTS'] ?? 20)
const seconds = Number(process.env['BENCH_SECONDS'] ?? 120)
const quietSeconds = 20
const everyMs = 25

interface Written {
  times: number[]
}

/** What a call writes, again and again: the call, a leg, three events and its end, each as the server does. */
async function writeCalls(connection: Connection, workspace: string, until: () => boolean): Promise<Written> {
  const times: number[] = []
  for (let made = 0; !until(); made++) {
    const id = `call_zz${String(Date.now()).padStart(14, '0')}${String(made).padStart(10, '0')}`
    const begun = performance.now()
    await connection.beginTransaction()
    await connection.query(
      `INSERT INTO calls (id, workspace_id, direction, status, from_number, from_name, to_number, to_name, max_duration,
         script, live, created_at) VALUES (?, ?, 'outbound', 'created', '+1', '', '+2', '', 60, '[]', 1, UTC_TIMESTAMP(3))`,
      [id, workspace],
    )
    for (let event = 0; event < 3; event++)
      await connection.query(
        `INSERT INTO call_events (id, call_id, workspace_id, event, direction, created_at)
         VALUES (?, ?, ?, 'call.created', 'outbound', UTC_TIMESTAMP(3))`,
        [`evt_zz${id.slice(7)}${event}`, id, workspace],
      )
    await connection.query(
      "UPDATE calls SET live = NULL, status = 'completed', ended_at = UTC_TIMESTAMP(3) WHERE id = ?",
      [id],
    )
    await connection.commit()
    times.push(performance.now() - begun)
    await sleep(Math.max(0, everyMs - (performance.now() - begun)))
  }
  return { times }
}

async function lockWaits(connection: Connection): Promise<{ waits: number; ms: number }> {
  const [rows] = await connection.query(
    "SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_row_lock_waits', 'Innodb_row_lock_time')",
  )
  const of = (name: string) =>
    Number(
      (rows as { Variable_name: string; Value: string }[]).find((row) => row.Variable_name === name)?.Value ??
        0,
    )
  return { waits: of('Innodb_row_lock_waits'), ms: of('Innodb_row_lock_time') }
}

async function countOf(connection: Connection, table: string): Promise<number> {
  const [rows] = await connection.query(`SELECT COUNT(*) AS n FROM ${table}`)
  return (rows as { n: number }[])[0]?.n ?? 0
}

const row = (name: string, { times }: Written) => [
  name,
  String(times.length),
  ...[median(times), percentile(times, 0.99), Math.max(...times)].map((ms) => ms.toFixed(1)),
]

say(machine())
const mariadb = await startMariadb({ durable: true })
try {
  const name = await mariadb.createDatabase()
  await mariadb.migrate(name)
  const target = { host: mariadb.host, port: mariadb.port, user: mariadb.user, password: mariadb.password }
  const connect = async () => createConnection({ ...target, database: name, timezone: 'Z' })
  const [filling, writing] = [await connect(), await connect()]
  for (const [id, kept] of [
    ['acme', 30],
    ['busy', null],
  ])
    await filling.query(
      `INSERT INTO workspaces (id, title, country_code, created_at, updated_at, call_retention_days)
       VALUES (?, ?, 'US', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), ?)`,
      [id, id, kept],
    )
  const begun = performance.now()
  await fillCalls(filling, { workspace: 'acme', calls, eventsOfCall, days: 300 }, (made) => {
    if (made % 100_000 === 0) say(`${made} calls after ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  })
  const events = await countOf(filling, 'call_events')
  say(`${events} events, ${2 * calls} legs, ${calls} calls: nine tenths are older than they are kept`)

  const { database, sweep } = await openSweep(mariadb, name)
  const statements: number[] = []
  database.source.subscribers.push({
    afterQuery: ({ executionTime }: { executionTime?: number }) => {
      statements.push(executionTime ?? 0)
    },
  } as never)

  let end = Date.now() + quietSeconds * 1000
  const alone = await writeCalls(writing, 'busy', () => Date.now() > end)
  const before = await lockWaits(filling)
  end = Date.now() + seconds * 1000
  const beside = writeCalls(writing, 'busy', () => Date.now() > end)
  const sweeping = sweep.sweep()
  await sleep(seconds * 1000)
  await sweep.stop()
  await sweeping
  const written = await beside
  const after = await lockWaits(filling)
  const left = await countOf(filling, 'call_events')
  const deleted = events + 3 * (alone.times.length + written.times.length) - left
  say()
  say(
    `deleted in ${seconds} s: ${deleted} events with their calls and legs, ${Math.round(deleted / seconds)} events a second`,
  )
  say(
    `statements of the sweep: ${statements.length}, median ${median(statements).toFixed(1)} ms, longest ${Math.max(...statements).toFixed(0)} ms`,
  )
  say(`locks waited for: ${after.waits - before.waits}, ${after.ms - before.ms} ms in all`)
  say()
  printTable(
    ['a call’s writes, ms', 'calls', 'median', '99 %', 'longest'],
    [row('alone', alone), row('beside the sweep', written)],
  )
  say()
  printFigure(
    'locks that the sweep of old rows waited for, or had others wait for',
    after.waits - before.waits,
    { atMost: 0 },
    0,
  )
  printFigure(
    'time that a call’s writes take beside the sweep, to alone',
    median(written.times) / median(alone.times),
  )
  await database.close()
  for (const connection of [filling, writing]) await connection.end()
} finally {
  await mariadb.stop()
}
