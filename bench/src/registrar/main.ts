/**
 * Registrations a second, each a REGISTER that is challenged and one with the right digest, at our edge beside a stock
 * Kamailio with its own tables in the same MariaDB, in turns; and the memory that registrations take.
 * Settings: BENCH_ACCOUNTS [10000], BENCH_ROUNDS [5], BENCH_IN_FLIGHT [100], BENCH_WORKERS [4]. Then calls (calls.ts).
 */
import { createConnection, type Connection } from 'mysql2/promise'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { databaseOfKamailio, startKamailio } from '../../../server/dist/test/support/kamailio.js'
import { startMariadb } from '../../../server/dist/test/support/mariadb.js'
import { accountHashes } from '../../../server/dist/test/support/sip-digest.js'
import { cpuMs, processesWith } from '../cpu.js'
import { machine, median, printTable, say, printFigure } from '../figures.js'
import { measureCalls } from './calls.js'
import { confirmKept } from './confirmed.js'
import { type BenchAccount, Phones } from './phones.js'
import { fillStock, startStock } from './stock.js'

const count = Number(process.env['BENCH_ACCOUNTS'] ?? 10_000)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const inFlight = Number(process.env['BENCH_IN_FLIGHT'] ?? 100)
const workers = Number(process.env['BENCH_WORKERS'] ?? 4)

const sipDomain = 'sip.localhost'

interface Side {
  name: string
  port: number
  phones: Phones
  connection: Connection
  pids: number[]
  rates: number[]
  kamailioMs: number[]
  databaseMs: number[]
  memoryMb: number
}

async function fillOurs(connection: Connection, accounts: readonly BenchAccount[]): Promise<void> {
  await connection.query(
    `INSERT INTO workspaces (id, title, country_code, created_at, updated_at) VALUES ('bench', 'Bench', 'US', NOW(3), NOW(3))`,
  )
  const now = new Date()
  await connection.query(
    `INSERT INTO sip_accounts
       (id, workspace_id, title, username, domain, ha1, ha1b, ha1_sha256, ha1b_sha256, created_at, updated_at) VALUES ?`,
    [
      accounts.map(({ username, domain, password }, index) => {
        const { ha1, ha1b, ha1_sha256, ha1b_sha256 } = accountHashes(username, domain, password)
        return [
          ...[`si_${index}`, 'bench', username, username, domain],
          ...[ha1, ha1b, ha1_sha256, ha1b_sha256, now, now],
        ]
      }),
    ],
  )
}

/** Memory of processes in MB, what they share counted once. */
async function memoryMb(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
      return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
    }),
  )
  return sizes.reduce((sum, own) => sum + own, 0) / 1024
}

async function turn(side: Side, database: readonly number[]): Promise<number> {
  const [kamailio, mariadb] = [await cpuMs(side.pids), await cpuMs(database)]
  const rate = await side.phones.register(side.port, { inFlight })
  side.rates.push(rate)
  side.kamailioMs.push(((await cpuMs(side.pids)) - kamailio) / count)
  side.databaseMs.push(((await cpuMs(database)) - mariadb) / count)
  return rate
}

async function checkRows(side: Side): Promise<void> {
  const [rows] = await side.connection.query('SELECT COUNT(*) AS n FROM location')
  const [{ n } = { n: 0 }] = rows as { n: number }[]
  if (n !== count) throw new Error(`${side.name}: ${n} of ${count} are registered`)
}

const accounts = Array.from({ length: count }, (_, index) => ({
  username: `u${100_000 + index}`,
  domain: `bench.${sipDomain}`,
  password: `secret${index}`,
}))
const mariadb = await startMariadb({ durable: true })
const closing: (() => Promise<unknown>)[] = [async () => mariadb.stop()]
try {
  say(machine())
  const connect = async (database: string): Promise<Connection> => {
    const { host, port, user, password } = mariadb
    const connection = await createConnection({ host, port, user, password, database })
    closing.unshift(async () => connection.end())
    return connection
  }
  const [ourDatabase, stockDatabase] = [await mariadb.createDatabase(), await mariadb.createDatabase()]
  await mariadb.migrate(ourDatabase)
  const [ourConnection, stockConnection] = [await connect(ourDatabase), await connect(stockDatabase)]
  await fillOurs(ourConnection, accounts)
  await fillStock(stockConnection, accounts)

  const ours = await startKamailio({ workers, sipDomain, database: databaseOfKamailio(mariadb, ourDatabase) })
  closing.unshift(async () => ours.stop())
  closing.unshift(await confirmKept(ours, 'digests'))
  const { user, password, host, port } = mariadb
  const stock = await startStock(workers, `mysql://${user}:${password}@${host}:${port}/${stockDatabase}`)
  closing.unshift(async () => stock.stop())
  const [[paths]] = (await ourConnection.query('SELECT @@datadir AS data')) as unknown as [[{ data: string }]]
  const database = await processesWith(dirname(paths.data))

  const side = async (name: string, at: number, directory: string, connection: Connection): Promise<Side> => {
    const phones = await Phones.of(accounts)
    closing.unshift(async () => phones.remove())
    const pids = await processesWith(directory)
    const empty = { rates: [], kamailioMs: [], databaseMs: [], memoryMb: 0 }
    return { name, port: at, phones, connection, pids, ...empty }
  }
  const sides = [
    await side('Jackfield', ours.options.sipPort, ours.options.directory, ourConnection),
    await side('stock Kamailio', stock.port, stock.directory, stockConnection),
  ] as const
  for (const one of sides) {
    // the first phone makes the source known, so that the rest is no flood; then processes have touched their memory
    await one.phones.register(one.port, { inFlight: 1, count: 1 })
    await one.phones.register(one.port, { inFlight: 20, count: Math.min(500, count) })
    const before = await memoryMb(one.pids)
    await one.phones.register(one.port, { inFlight })
    one.memoryMb = ((await memoryMb(one.pids)) - before) * (10_000 / Math.max(1, count - 500))
    await checkRows(one)
  }
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? sides : ([sides[1], sides[0]] as const)
    for (const one of order) await turn(one, database)
    ratios.push((sides[0].rates[round] ?? 0) / (sides[1].rates[round] ?? 1))
  }
  for (const one of sides) await checkRows(one)
  printTable(
    ['registrar', 'REGISTER/s', 'kamailio ms', 'mariadb ms', 'MB per 10,000'],
    sides.map((one) => [
      one.name,
      median(one.rates).toFixed(0),
      median(one.kamailioMs).toFixed(3),
      median(one.databaseMs).toFixed(3),
      one.memoryMb.toFixed(1),
    ]),
  )
  say(`rounds: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`)
  printFigure('REGISTER/s, to a stock Kamailio', median(ratios), { atLeast: 0.95 })
  await measureCalls(mariadb, database, { rounds, workers })
} finally {
  for (const close of closing) await close().catch(() => undefined)
}
