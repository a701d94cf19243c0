/** What the tests of backups share: the command line on an appliance, its tables, and its files. */
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { query, tablesOf } from '../backups/database.mjs'
import { databaseLogin } from '../backups/places.mjs'
import { ROOT, readSettings } from '../settings.mjs'

/** @typedef {import('./support.mjs').TestAppliance} TestAppliance */

const run = promisify(execFile)

/**
 * Runs `jackfield … --json` on an appliance.
 * @param {TestAppliance} appliance
 * @param {string[]} args
 */
export async function jackfield(appliance, ...args) {
  const { stdout } = await run(process.execPath, [join(ROOT, 'cli/bin/run.js'), ...args, '--json'], {
    env: { ...appliance.env, HOME: appliance.home, XDG_CONFIG_HOME: appliance.home },
    timeout: 60_000,
  })
  return JSON.parse(stdout)
}

/**
 * Rows of every table as one sum each.
 * @param {TestAppliance} appliance whose database runs
 * @returns {Promise<Map<string, string>>} by the name of the table
 */
export async function tableSums(appliance) {
  const login = databaseLogin(readSettings(appliance.env))
  const { tables, views } = await tablesOf(login)
  const names = [...tables, ...views].sort()
  // One program for all of them: starting one for each table takes longer than the tables.
  const mark = `rows of ${randomUUID()}`
  const lines = await query(
    login,
    names.map((table) => `SELECT '${mark}'; SELECT * FROM \`${table}\`;`).join('\n'),
  )
  const sums = new Map()
  const parts = `${lines.join('\n')}\n`.split(`${mark}\n`).slice(1)
  if (parts.length !== names.length) throw new Error(`the rows of ${parts.length} of ${names.length} tables`)
  for (const [index, table] of names.entries()) {
    const rows = (parts[index] ?? '').split('\n').filter(Boolean)
    sums.set(table, `${rows.length} ${createHash('sha256').update(rows.sort().join('\n')).digest('hex')}`)
  }
  return sums
}

/**
 * @param {string} folder
 * @returns {string[]} each file below it with its sum
 */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map(
      (path) =>
        `${path.slice(folder.length)} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`,
    )
    .sort()
}

/**
 * A request to a workspace's API.
 * @param {TestAppliance} appliance
 * @param {string} path
 * @param {{key?: string, body?: object, method?: string, host?: string, operator?: string}} [options]
 * @returns {Promise<{status: number, bytes: Buffer, body: any}>}
 */
export function ask(
  appliance,
  path,
  { key, body, method = body ? 'POST' : 'GET', host = 'acme', operator } = {},
) {
  const port = Number(appliance.settings['http.port'])
  const authorization = operator ? `Operator ${operator}` : key ? `ApiKey ${key}` : undefined
  const headers = {
    host: `${host}.localhost:${port}`,
    ...(authorization ? { authorization } : {}),
    ...(body ? { 'content-type': 'application/json' } : {}),
  }
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path: `/api/v1${path}`,
        method,
        headers,
        signal: AbortSignal.timeout(10_000),
      },
      (answer) => {
        /** @type {Buffer[]} */
        const chunks = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const isJson = answer.headers['content-type']?.includes('json')
          resolve({
            status: answer.statusCode ?? 0,
            bytes,
            body: isJson ? JSON.parse(bytes.toString()) : null,
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

/**
 * Registers a phone as any phone does, with the digest of its password.
 * @param {TestAppliance} appliance
 * @param {{username: string, domain: string, password: string}} account
 * @returns {Promise<number>} status of the answer
 */
export async function register(appliance, account) {
  const { SipPhone } = await import(join(ROOT, 'server/dist/test/support/sip-phone.js'))
  const edge = { sipHost: '127.0.0.1', sipPort: Number(appliance.settings['sip.port']) }
  const phone = await SipPhone.open(edge, account)
  try {
    return (await phone.register()).status
  } finally {
    await phone.close()
  }
}
