/**
 * Beside jambonz-api-server, in the same MariaDB, in turns, under the same load: pages of numbers, the whole list of a tenant
 * with few, and credentials that are created. Its checkout, with its packages, is at BENCH_JAMBONZ; without that nothing runs.
 * It needs a redis-server. Settings: BENCH_ROUNDS, BENCH_SECONDS (of each turn), BENCH_CONNECTIONS.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Connection, createConnection } from 'mysql2/promise'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { Appliance, type TestWorkspace } from '../../../server/dist/test/support/appliance.js'
import { freePort } from '../../../server/dist/test/support/free-ports.js'
import { startMariadb } from '../../../server/dist/test/support/mariadb.js'
import { type Aim, machine, median, printFigure, printTable, say } from '../figures.js'
import { connectTo, fillWorkspace } from './fill.js'
import { type Target, compare, databaseOf, heads, middle } from './turns.js'

const checkout = process.env['BENCH_JAMBONZ'] ?? ''
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const turnMs = Number(process.env['BENCH_SECONDS'] ?? 5) * 1000
const connections = Number(process.env['BENCH_CONNECTIONS'] ?? 20)
const pool = 10
const sizes = { many: 1_000, few: 20 }

const children: ChildProcess[] = []

/** A tenant of the peer, with a key of its own. */
interface Account {
  readonly sid: string
  readonly token: string
}

async function addAccount(connection: Connection, provider: string, numbers: number): Promise<Account> {
  const [sid, token] = [randomUUID(), randomUUID()]
  await connection.query(
    'INSERT INTO accounts (account_sid, name, service_provider_sid, webhook_secret) VALUES (?, ?, ?, ?)',
    [sid, `Account of ${numbers}`, provider, 'secret'],
  )
  await connection.query('INSERT INTO api_keys (api_key_sid, token, account_sid) VALUES (?, ?, ?)', [
    ...[randomUUID(), token, sid],
  ])
  await connection.query(
    `INSERT INTO phone_numbers (phone_number_sid, number, account_sid)
     SELECT UUID(), CONCAT('1202', LPAD(seq, 7, '0')), ? FROM seq_1_to_${numbers}`,
    [sid],
  )
  return { sid, token }
}

interface Peer {
  readonly port: number
  readonly pid: number
  readonly many: Account
  readonly few: Account
}

async function startPeer({ mariadb }: Appliance): Promise<Peer> {
  const database = await mariadb.createDatabase()
  const { host, port: mysqlPort, user, password } = mariadb
  const login = { host, port: mysqlPort, user, password, database }
  const connection = await createConnection({ ...login, multipleStatements: true })
  await connection.query(await readFile(join(checkout, 'db/jambones-sql.sql'), 'utf8'))
  const provider = randomUUID()
  await connection.query('INSERT INTO service_providers (service_provider_sid, name) VALUES (?, ?)', [
    ...[provider, 'Provider'],
  ])
  const accounts = {
    many: await addAccount(connection, provider, sizes.many),
    few: await addAccount(connection, provider, sizes.few),
  }
  await connection.end()
  const [port, redisPort] = [await freePort(), await freePort()]
  const redis = ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  children.push(spawn('redis-server', redis, { cwd: tmpdir(), stdio: 'ignore' }))
  const server = spawn(process.execPath, ['app.js'], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...{ HTTP_PORT: String(port), JAMBONES_LOGLEVEL: 'error', DISABLE_RATE_LIMITS: '1' },
      ...{ JAMBONES_MYSQL_HOST: host, JAMBONES_MYSQL_PORT: String(mysqlPort), JAMBONES_MYSQL_USER: user },
      ...{ JAMBONES_MYSQL_PASSWORD: password, JAMBONES_MYSQL_DATABASE: database },
      ...{ JAMBONES_MYSQL_CONNECTION_LIMIT: String(pool), JWT_SECRET: 'secret', ENCRYPTION_SECRET: 'secret' },
      ...{ JAMBONES_REDIS_HOST: '127.0.0.1', JAMBONES_REDIS_PORT: String(redisPort) },
      // Only call records would go there.
      JAMBONES_TIME_SERIES_HOST: '127.0.0.1',
    },
  })
  children.push(server)
  const answers = async () =>
    fetch(`http://127.0.0.1:${port}/v1/PhoneNumbers`, {
      headers: { authorization: `Bearer ${accounts.few.token}` },
    }).then(
      async (answer) => (await answer.json()) as unknown[],
      () => [],
    )
  const is = { what: 'the list of jambonz-api-server', timeoutMs: 60_000 }
  await eventually(answers, (rows) => rows.length === sizes.few, is)
  return { port, pid: server.pid ?? 0, ...accounts }
}

type Asked = Pick<Target['order'], 'path' | 'body'>

interface Case {
  readonly what: string
  readonly of: keyof typeof sizes
  readonly ours: Asked
  readonly theirs: Asked
  readonly aim: Aim
}

const cases: readonly Case[] = [
  {
    ...{ what: 'a page of 20 of 1,000 numbers', of: 'many', aim: { atLeast: 1.4 } },
    ours: { path: '/api/v1/phone-numbers?limit=20' },
    theirs: { path: '/v1/PhoneNumbers?page=1&page_size=20' },
  },
  {
    ...{ what: 'all numbers of a tenant with 20', of: 'few', aim: { atLeast: 0.9 } },
    ours: { path: '/api/v1/phone-numbers?limit=20' },
    theirs: { path: '/v1/PhoneNumbers' },
  },
  {
    ...{ what: 'credentials of phones that are created', of: 'few', aim: { atLeast: 1.3 } },
    ours: {
      path: '/api/v1/sip-accounts',
      body: '{"title":"Desk","username":"u$n","password":"secret password"}',
    },
    theirs: { path: '/v1/Clients', body: '{"username":"u$n","password":"secret password","is_active":true}' },
  },
]

async function measure(): Promise<void> {
  say(`bench/peer: ${machine()}`)
  const mariadb = await startMariadb({ durable: true })
  const appliance = await Appliance.start({
    mariadb,
    settings: {
      ...{ JACKFIELD_RATE_LIMITS_DEFAULT: '1000000', JACKFIELD_RATE_LIMITS_HEAVY: '1000000' },
      ...{ JACKFIELD_LIMITS_SIP_ACCOUNTS: '1000000', JACKFIELD_DATABASE_POOL: String(pool) },
    },
  })
  try {
    const connection = await connectTo(appliance)
    const workspaces: Record<keyof typeof sizes, TestWorkspace> = {
      many: await appliance.workspace(),
      few: await appliance.workspace(),
    }
    await fillWorkspace(connection, workspaces.many, 1, sizes.many)
    await fillWorkspace(connection, workspaces.few, 2_000_000, sizes.few)
    await connection.end()
    const peer = await startPeer(appliance)
    const database = await databaseOf(appliance)
    say(`${connections} requests in flight, medians of ${rounds} turns of ${turnMs / 1000} s each`)
    const load = fork(fileURLToPath(new URL('./load.js', import.meta.url)))
    children.push(load)
    const table: string[][] = []
    const figures: [string, number, Aim][] = []
    for (const { what, of, ours, theirs, aim } of cases) {
      const { id, api } = workspaces[of]
      const order = { connections, ms: turnMs }
      const ourHeaders = { host: `${id}.localhost:${appliance.port}`, authorization: api.authorization ?? '' }
      const theirHeaders = { host: 'peer', authorization: `Bearer ${peer[of].token}` }
      const targets: [Target, Target] = [
        {
          ...{ name: 'Jackfield', pid: appliance.serverPid, database },
          order: { ...order, ...ours, port: appliance.port, headers: ourHeaders },
        },
        {
          ...{ name: 'jambonz-api-server', pid: peer.pid, database },
          order: { ...order, ...theirs, port: peer.port, headers: theirHeaders },
        },
      ]
      const turns = await compare(load, targets, rounds)
      const ratio = median(turns[0].map(({ perSecond }, at) => perSecond / (turns[1][at]?.perSecond ?? 1)))
      table.push([`${what}: ${targets[0].name}`, ...middle(turns[0]), ratio.toFixed(2)])
      table.push([targets[1].name, ...middle(turns[1]), ''])
      figures.push([what, ratio, aim])
    }
    printTable(['', ...heads, 'ratio'], table)
    for (const [what, ratio, aim] of figures)
      printFigure(`requests/s for ${what}, to jambonz-api-server`, ratio, aim)
  } finally {
    for (const child of children) child.kill()
    await appliance.stop()
    await mariadb.stop()
  }
}

if (checkout === '') say('skipped: BENCH_JAMBONZ names no checkout of jambonz-api-server')
else await measure()
process.exit(0)
