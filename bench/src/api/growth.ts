/**
 * How lists slow down as tables grow: the same requests to workspaces of several sizes, first in tables
 * that hold nothing else, then among a million rows of others. One request at a time; medians.
 * Settings: BENCH_ROWS (rows of others), BENCH_REQUESTS (of each kind).
 */
import type { Connection } from 'mysql2/promise'
import { Appliance, type TestWorkspace } from '../../../server/dist/test/support/appliance.js'
import { stopSharedMariadb } from '../../../server/dist/test/support/mariadb.js'
import { machine, median, printTable, say, printFigure } from '../figures.js'
import { connectTo, insertRows } from './fill.js'
import { type GrowthTable, growthTables } from './growth-tables.js'

const others = Number(process.env['BENCH_ROWS'] ?? 1_000_000)
const requests = Number(process.env['BENCH_REQUESTS'] ?? 60)

const sizes = [10, 1_000, 10_000]
const otherWorkspaces = 1_000
const rowsAtOnce = 20_000
const pageSize = 20

async function fillOthers(connection: Connection, table: GrowthTable): Promise<void> {
  const workspace = `CONCAT('other', FLOOR(seq / ${Math.ceil(others / otherWorkspaces)}) + 1)`
  for (let from = 0; from < others; from += rowsAtOnce) {
    await insertRows(connection, table, workspace, [from, Math.min(from + rowsAtOnce, others) - 1])
  }
}

/** The median of a kind of request, in milliseconds. */
async function timed({ api }: TestWorkspace, path: string): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < requests; count++) {
    const began = performance.now()
    const answer = await api.get(path)
    times.push(performance.now() - began)
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  return median(times.slice(Math.ceil(requests / 10)))
}

function pathOf(table: GrowthTable, query: string, size: number): string {
  const last = String(Math.max(1, Math.ceil(size / pageSize)))
  return `${table.path}?limit=${pageSize}&${query.replace('$last', last)}`
}

type Figures = Map<string, number>

async function round(workspaces: ReadonlyMap<number, TestWorkspace>): Promise<Figures> {
  const figures: Figures = new Map()
  for (const table of growthTables) {
    for (const [kind, query] of Object.entries({ 'first page': '', ...table.queries })) {
      for (const [size, workspace] of workspaces) {
        figures.set(`${table.name} ${kind} ${size}`, await timed(workspace, pathOf(table, query, size)))
      }
    }
  }
  return figures
}

function report(alone: Figures, among: Figures): void {
  const rows = growthTables.flatMap((table) =>
    Object.keys({ 'first page': '', ...table.queries }).map((kind) => {
      const at = (figures: Figures, size: number) => figures.get(`${table.name} ${kind} ${size}`) ?? NaN
      const [small = 0, , large = 0] = sizes
      return [
        `${table.path} ${kind}`,
        ...sizes.map((size) => at(among, size).toFixed(1)),
        (at(among, large) / at(among, small)).toFixed(1),
        (at(among, large) / at(alone, large)).toFixed(1),
      ]
    }),
  )
  const heads = sizes.map((size) => `${size} rows, ms`)
  printTable(['list', ...heads, 'growth 10 to 10,000', 'among others to alone'], rows)
  printFigure(
    'time of a list among the rows of others, to alone: the worst',
    Math.max(...rows.map((row) => Number(row.at(-1)))),
  )
}

async function measure(): Promise<void> {
  say(`bench/growth: ${machine()}`)
  const unlimited = Object.fromEntries(
    growthTables.map(({ name }) => [`JACKFIELD_LIMITS_${name.toUpperCase()}`, '1000000']),
  )
  const appliance = await Appliance.start({
    settings: { JACKFIELD_RATE_LIMITS_DEFAULT: '1000000', ...unlimited },
  })
  try {
    const connection = await connectTo(appliance)
    await connection.query('SET SESSION foreign_key_checks = 0, SESSION unique_checks = 0')
    const workspaces = new Map<number, TestWorkspace>()
    let first = others
    for (const size of sizes) {
      const workspace = await appliance.workspace()
      workspaces.set(size, workspace)
      for (const table of growthTables) {
        await insertRows(connection, table, `'${workspace.id}'`, [first, first + size - 1])
      }
      first += size
    }
    const analyze = async () => {
      for (const { name } of growthTables) await connection.query(`ANALYZE TABLE ${name}`)
    }
    await analyze()
    const alone = await round(workspaces)
    await connection.query(
      `INSERT INTO workspaces (id, title, country_code, created_at, updated_at)
       SELECT CONCAT('other', seq), 'Other', 'US', NOW(3), NOW(3) FROM seq_1_to_${otherWorkspaces}`,
    )
    for (const table of growthTables) await fillOthers(connection, table)
    await analyze()
    say(`${others} rows of others in each of ${growthTables.length} tables; medians of ${requests} requests`)
    report(alone, await round(workspaces))
    await connection.end()
  } finally {
    await appliance.stop()
    await stopSharedMariadb()
  }
}

await measure()
process.exit(0)
