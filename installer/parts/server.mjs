/** The server as a part of the appliance: the database's tables, and the API. */
import { request } from 'node:http'
import { join } from 'node:path'
import { Failure, messageOf } from '../failure.mjs'
import { run } from '../processes.mjs'
import { ROOT } from '../settings.mjs'
import { until } from '../waiting.mjs'

/** Some migrations rewrite large tables; a killed one would continue in the database. */
const MIGRATION_MS = 4 * 3_600_000
const CHECK_MS = 30_000

const MIGRATE = join(ROOT, 'server/dist/src/bin/migrate.js')
/** Exit code if other cells are live on tables that it would migrate. */
const OTHERS_LIVE = 3

/**
 * @typedef {object} ServerOptions
 * @property {string} host address of the API
 * @property {number} port
 * @property {Record<string, string>} environment its settings, as JACKFIELD_* variables
 * @property {string} node the program that runs it
 */

/**
 * Creates or migrates the tables, some of which Kamailio reads, too.
 * @param {{environment: Record<string, string>, log: string, node: string}} options the server's environment; a file for
 *   the output; the program that runs it
 * @throws {Failure} with the reason if the database refuses or a migration fails
 */
export async function prepareTables({ environment, log, node }) {
  const { code, output } = await run(node, [MIGRATE], {
    log,
    env: { ...process.env, ...environment },
    cwd: ROOT,
    deadlineMs: MIGRATION_MS,
    what: 'preparing the database’s tables',
  })
  if (code !== 0)
    throw new Failure(`The database’s tables could not be made: ${reasonIn(output)} (see ${log})`)
}

/**
 * Called before anything is stopped for a new version: checks that its tables can be migrated.
 * @param {{environment: Record<string, string>, log: string, node: string}} options as of {@link prepareTables}
 * @throws {Failure} if other cells are live on tables that would be migrated
 */
export async function requireTablesOfOthers({ environment, log, node }) {
  const { code, output } = await run(node, [MIGRATE, '--check'], {
    log,
    env: { ...process.env, ...environment },
    cwd: ROOT,
    deadlineMs: CHECK_MS,
    what: 'looking at the database’s tables',
  }).catch(() => ({ code: 1, output: '' })) // an unreachable database must not prevent a restart of everything
  if (code === OTHERS_LIVE) throw new Failure(`Nothing was stopped: ${reasonIn(output)}`)
}

/**
 * Defines how to start the server; its tables must exist.
 * @param {ServerOptions} options
 * @returns {import('./freeswitch.mjs').Command}
 */
export function prepareServer(options) {
  return {
    command: options.node,
    args: [join(ROOT, 'server/dist/src/bin/main.js')],
    env: options.environment,
  }
}

/**
 * The line of a program’s output with the reason of its end.
 * @param {string} output
 * @returns {string}
 */
export function reasonIn(output) {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const telling = lines.findLast(
    (line) => /error|refused|denied|cannot|must be|missing/i.test(line) && !/^\s+at /.test(line),
  )
  const line = (telling ?? lines.at(-1) ?? 'no reason given').trim()
  try {
    const record = JSON.parse(line)
    return String(record.err?.message ?? record.msg ?? line).slice(0, 300)
  } catch {
    return line.slice(0, 300)
  }
}

/**
 * Waits until `/health` reports that it serves.
 * @param {Pick<ServerOptions, 'host' | 'port'>} options
 * @param {number} deadlineMs
 * @param {() => string | undefined} [giveUp] reason to stop waiting at once
 */
export async function serverReady(options, deadlineMs, giveUp) {
  await until(
    async () => {
      const { ok, detail } = await checkServer(options)
      if (!ok) throw new Error(detail)
    },
    { deadlineMs, what: 'the server being healthy', ...(giveUp ? { giveUp } : {}) },
  )
}

/**
 * Health check of the server. It is healthy if it serves, even without optional parts such as Redis.
 * @param {Pick<ServerOptions, 'host' | 'port'>} options
 * @returns {Promise<{ok: boolean, detail: string}>} `detail` names the parts that it reports down
 */
export async function checkServer({ host, port }) {
  try {
    const { status, body } = await get({ host, port }, '/health')
    /** @type {{serves?: boolean, parts?: Record<string, string>}} */
    const health = JSON.parse(body)
    const down = Object.entries(health.parts ?? {}).filter(([, state]) => state !== 'up')
    const seen = down.map(([name, state]) => `${name} ${state}`).join(', ')
    if (status === 200 && health.serves === true)
      return {
        ok: true,
        detail: `port ${port}${seen && `, without ${down.map(([name]) => name).join(', ')}`}`,
      }
    return { ok: false, detail: `it sees ${seen || `status ${status}`}` }
  } catch (error) {
    return { ok: false, detail: messageOf(error) }
  }
}

/**
 * One small GET.
 * @param {{host: string, port: number}} target
 * @param {string} path
 * @param {Record<string, string>} [headers]
 * @param {number} [deadlineMs]
 * @returns {Promise<{status: number, type: string, body: string}>}
 */
export function get({ host, port }, path, headers = {}, deadlineMs = 3000) {
  const to = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: to, port, path, headers, agent: false, signal: AbortSignal.timeout(deadlineMs) },
      (answer) => {
        let body = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk) => (body += body.length < 1_000_000 ? chunk : ''))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            type: String(answer.headers['content-type'] ?? ''),
            body,
          }),
        )
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}
