/**
 * `GET /phone-numbers` beside bare Koa and mysql2 on the same MariaDB, in turns, under the same load.
 * Settings: BENCH_ROWS (rows in the table), BENCH_ROUNDS, BENCH_SECONDS (of each turn), BENCH_CONNECTIONS.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { ApiClient, eventually } from '../../../server/dist/test/support/api-client.js'
import { Appliance, type TestWorkspace } from '../../../server/dist/test/support/appliance.js'
import { stopSharedMariadb } from '../../../server/dist/test/support/mariadb.js'
import { freePort } from '../../../server/dist/test/support/free-ports.js'
import { machine, median, printTable, say, printFigure } from '../figures.js'
import { connectTo, fillOthers, fillWorkspace } from './fill.js'
import { type Target, compare, databaseOf, heads, middle } from './turns.js'

const rowsInTable = Number(process.env['BENCH_ROWS'] ?? 1_000_000)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const turnMs = Number(process.env['BENCH_SECONDS'] ?? 4) * 1000
const connections = Number(process.env['BENCH_CONNECTIONS'] ?? 20)

const workspaces = 1_000
const sizes = [10, 1_000, 10_000]
const pool = 10
const aims = new Map([[1_000, { atLeast: 0.78 }]])

const children: ChildProcess[] = []

function start(script: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = fork(path, [], { env: { ...process.env, ...env } })
  children.push(child)
  return child
}

async function startBare(appliance: Appliance, workspace: TestWorkspace): Promise<Target> {
  const port = await freePort()
  const { mariadb, databaseName } = appliance
  const child = start('./bare-server.js', {
    BENCH_PORT: String(port),
    BENCH_WORKSPACE: workspace.id,
    BENCH_DATABASE_PORT: String(mariadb.port),
    BENCH_DATABASE_USER: mariadb.user,
    BENCH_DATABASE_PASSWORD: mariadb.password,
    BENCH_DATABASE_NAME: databaseName,
    BENCH_DATABASE_POOL: String(pool),
  })
  const order = { port, path: '/api/v1/phone-numbers', headers: { host: 'bare' }, connections, ms: turnMs }
  return { name: 'Koa + mysql2', pid: child.pid ?? 0, database: await databaseOf(appliance), order }
}

async function serverTarget(appliance: Appliance, workspace: TestWorkspace): Promise<Target> {
  const headers = {
    host: `${workspace.id}.localhost:${appliance.port}`,
    authorization: workspace.api.authorization ?? '',
  }
  const order = { port: appliance.port, path: '/api/v1/phone-numbers', headers, connections, ms: turnMs }
  return { name: 'Jackfield', pid: appliance.serverPid, database: await databaseOf(appliance), order }
}

/** A comparison of two servers that answer differently says nothing. */
async function checkSameAnswers(target: Target, bare: Target): Promise<void> {
  const answers = await Promise.all(
    [target, bare].map(async ({ order }) => {
      const client = new ApiClient(order.port, '', order.headers['authorization'])
      const host = order.headers['host'] ?? ''
      return eventually(
        async () =>
          client
            .request('GET', '/phone-numbers', { headers: { host } })
            .catch(() => ({ status: 0, body: null })),
        ({ status }) => status === 200,
        { what: `answer of ${order.port}` },
      )
    }),
  )
  const [ours, theirs] = answers.map((answer): unknown => answer.body)
  if (!isDeepStrictEqual(ours, theirs)) {
    throw new Error(`the two answer differently: ${JSON.stringify([ours, theirs]).slice(0, 2000)}`)
  }
}

async function measure(): Promise<void> {
  say(`bench/api: ${machine()}`)
  const appliance = await Appliance.start({
    settings: {
      JACKFIELD_RATE_LIMITS_DEFAULT: '1000000',
      JACKFIELD_DATABASE_POOL: String(pool),
      ...(process.env['BENCH_SERVER_NODE_OPTIONS'] && {
        NODE_OPTIONS: process.env['BENCH_SERVER_NODE_OPTIONS'],
      }),
    },
  })
  try {
    const database = await connectTo(appliance)
    const began = Date.now()
    await fillOthers(database, workspaces, rowsInTable - sizes.reduce((sum, size) => sum + size, 0))
    const filled: { size: number; workspace: TestWorkspace }[] = []
    let first = rowsInTable
    for (const size of sizes) {
      const workspace = await appliance.workspace()
      await fillWorkspace(database, workspace, first, size)
      filled.push({ size, workspace })
      first += size
    }
    await database.query('ANALYZE TABLE phone_numbers')
    await database.end()
    say(`${rowsInTable} rows written in ${((Date.now() - began) / 1000).toFixed(0)} s`)
    say(`${connections} requests in flight, medians of ${rounds} turns of ${turnMs / 1000} s each`)
    const load = start('./load.js')
    const table: string[][] = []
    const ratios: [number, number][] = []
    for (const { size, workspace } of filled) {
      const targets: [Target, Target] = [
        await serverTarget(appliance, workspace),
        await startBare(appliance, workspace),
      ]
      await checkSameAnswers(...targets)
      const [ours, bare] = await compare(load, targets, rounds)
      const ratio = median(ours.map(({ perSecond }, index) => perSecond / (bare[index]?.perSecond ?? 1)))
      ratios.push([size, ratio])
      table.push([`${size} rows: ${targets[0].name}`, ...middle(ours), ratio.toFixed(2)])
      table.push([`${size} rows: ${targets[1].name}`, ...middle(bare), ''])
    }
    printTable(['workspace with', ...heads, 'ratio'], table)
    for (const [size, ratio] of ratios) {
      printFigure(`requests/s of a workspace with ${size} rows, to Koa + mysql2`, ratio, aims.get(size))
    }
  } finally {
    for (const child of children) child.kill()
    await appliance.stop()
    await stopSharedMariadb()
  }
}

await measure()
process.exit(0)
