/**
 * MariaDB as a part of the appliance: our own database server, its data below the given directory,
 * reachable over a socket and a port of 127.0.0.1. Small, but fully durable.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Failure, codeOf, messageOf } from '../failure.mjs'
import { mysqlLogin } from '../mysql-login.mjs'
import { run } from '../processes.mjs'
import { until } from '../waiting.mjs'

/**
 * @typedef {object} MariadbOptions
 * @property {string} directory where data, configuration and socket go
 * @property {number} port TCP port on 127.0.0.1
 * @property {string} user made with all rights on `name` and on databases whose names begin with `<name>_`
 * @property {string} password letters and digits
 * @property {string} name the database, made when it is not there
 * @property {string} kamailioPassword letters and digits, of the user `kamailio` on 127.0.0.1, which `user` may grant privileges
 * @property {number} [bufferPoolMb] [256]
 * @property {number} [maxConnections] [200]
 * @property {boolean} [durable] false only in tests: commits are not written through [true]
 */

/** Kamailio's user of the database. */
export const KAMAILIO_USER = 'kamailio'

const PROGRAMS = ['/usr/sbin/mariadbd', '/usr/sbin/mysqld', '/usr/libexec/mariadbd']

/**
 * Creates the data directory at the first start and writes the configuration.
 * @param {MariadbOptions} options
 * @returns {Promise<import('./freeswitch.mjs').Command & {socket: string}>}
 * @throws {Failure}
 */
export async function prepareMariadb(options) {
  const program = PROGRAMS.find((path) => existsSync(path))
  if (!program) throw new Failure('mariadbd is not installed: apt-get install mariadb-server')
  const { config, data, socket, owner } = writeMariadb(options)
  await makeData(data, resolve(options.directory), owner)
  return {
    command: program,
    args: [`--defaults-file=${config}`, ...(owner ? [`--user=${owner.name}`] : [])],
    env: {},
    socket,
  }
}

/**
 * Writes the configuration, and the statements that run at every start.
 * @param {MariadbOptions} options
 * @returns {{config: string, data: string, socket: string, owner: Owner | null}} paths, and their owner
 */
export function writeMariadb(options) {
  const directory = resolve(options.directory)
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  const data = join(directory, 'data')
  const owner = chooseOwner(directory, data)
  own(directory, owner, 0o750)
  const socket = socketPath(directory, owner)
  const temporary = join(directory, 'tmp')
  mkdirSync(temporary, { recursive: true })
  own(temporary, owner, 0o700)
  const initFile = writeOwned(join(directory, 'init.sql'), initStatements(options), owner)
  const config = writeOwned(
    join(directory, 'my.cnf'),
    configuration(options, { data, directory, temporary, socket, initFile }),
    owner,
  )
  return { config, data, socket, owner }
}

/**
 * Creation of the system tables.
 * @param {string} data the folder that they come into
 * @returns {string[]} arguments of mariadb-install-db
 */
export function installArguments(data) {
  return [
    '--no-defaults',
    `--datadir=${data}`,
    // Two concurrent installations would collide in the temporary tables of a shared folder.
    `--tmpdir=${data}`,
    '--auth-root-authentication-method=socket',
    '--skip-test-db',
    '--innodb-log-file-size=48M',
  ]
}

/**
 * @typedef {{name: string, uid: number, gid: number}} Owner the system user that mariadbd runs as; `name` may be a number
 */

/**
 * mariadbd should not run as root: it runs as the owner of existing data, which in an installation is its
 * system user; else as user `mysql` if that user can reach the directory; else as the caller.
 * @param {string} directory
 * @param {string} data
 * @returns {Owner | null} null when the caller is not root: mariadbd then simply runs as the caller
 */
function chooseOwner(directory, data) {
  if (process.getuid?.() !== 0) return null
  const mysql = { name: 'mysql', uid: idOf('-u', 'mysql'), gid: idOf('-g', 'mysql') }
  const there = statSync(data, { throwIfNoEntry: false })
  // The same name at each start: with another command line an upgrade would restart it instead of taking it over.
  const before =
    there?.uid === mysql.uid ? mysql : there && { name: String(there.uid), uid: there.uid, gid: there.gid }
  if (before && before.uid !== 0 && canReach(dirname(directory), before)) return before
  return mysql.uid > 0 && canReach(dirname(directory), mysql) ? mysql : { name: 'root', uid: 0, gid: 0 }
}

/** @param {string} which @param {string} name */
function idOf(which, name) {
  try {
    return Number(
      execFileSync('id', [which, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    )
  } catch {
    return -1
  }
}

/**
 * Whether a user can traverse a folder and its parents.
 * @param {string} folder
 * @param {Owner} user
 * @returns {boolean}
 */
function canReach(folder, user) {
  const { mode, uid, gid } = statSync(folder)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  return (mode & bit) !== 0 && (folder === '/' || canReach(dirname(folder), user))
}

/** @param {string} path @param {Owner | null} owner @param {number} mode */
function own(path, owner, mode) {
  chmodSync(path, mode)
  if (owner) chownSync(path, owner.uid, owner.gid)
}

/** @param {string} path @param {string} text @param {Owner | null} owner */
function writeOwned(path, text, owner) {
  writeFileSync(path, text, { mode: 0o600 })
  own(path, owner, 0o600)
  return path
}

/**
 * A Unix socket's path is limited to 107 bytes; with a long home the socket is in the system's temporary folder.
 * @param {string} directory
 * @param {Owner | null} owner
 */
function socketPath(directory, owner) {
  const near = join(directory, 'mariadb.sock')
  if (Buffer.byteLength(near) <= 100) return near
  const folder = join(
    tmpdir(),
    `jackfield-${createHash('sha1').update(directory).digest('hex').slice(0, 12)}`,
  )
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  own(folder, owner, 0o700)
  return join(folder, 'mariadb.sock')
}

/**
 * Creates the system tables, once. They are created beside and renamed, so that an interrupted run is not
 * mistaken for a database.
 * @param {string} data
 * @param {string} directory
 * @param {Owner | null} owner
 */
async function makeData(data, directory, owner) {
  if (existsSync(join(data, 'mysql'))) return
  const { rename } = await import('node:fs/promises')
  const half = `${data}.new`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { mode: 0o750 })
  own(half, owner, 0o750)
  const log = join(directory, 'install.log')
  const { code, output } = await run(
    'mariadb-install-db',
    [...installArguments(half), ...(owner ? [`--user=${owner.name}`] : [])],
    { log, deadlineMs: 120_000, what: 'making the database’s system tables' },
  )
  if (code !== 0) {
    const reason = /\[ERROR\] (.*)/.exec(output)?.[1] ?? `exit code ${code}`
    throw new Failure(`MariaDB cannot make its system tables in ${data}: ${reason} (see ${log})`)
  }
  await rename(half, data).catch((error) => {
    if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') {
      throw new Failure(`${data} holds files but no database: move them away and run again`)
    }
    throw error
  })
}

/**
 * Run by mariadbd at every start, before it accepts connections.
 * @param {MariadbOptions} options
 */
function initStatements({ user, password, name, kamailioPassword }) {
  if (!/^[A-Za-z0-9_-]+$/.test(password + user + kamailioPassword))
    throw new Failure('the database’s passwords and user must be letters and digits')
  const accounts = ['127.0.0.1', 'localhost'].map((host) => `'${user}'@'${host}'`)
  return [
    `CREATE DATABASE IF NOT EXISTS \`${name}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;`,
    ...accounts.flatMap((account) => [
      `CREATE USER IF NOT EXISTS ${account} IDENTIFIED BY '${password}';`,
      `ALTER USER ${account} IDENTIFIED BY '${password}';`,
      `GRANT ALL ON \`${name}\`.* TO ${account} WITH GRANT OPTION;`,
      `GRANT ALL ON \`${name.replaceAll('_', '\\_')}\\_%\`.* TO ${account} WITH GRANT OPTION;`,
    ]),
    // Its privileges are granted where the views are created (server/src/adapters/kamailio/database-access.ts).
    `CREATE USER IF NOT EXISTS '${KAMAILIO_USER}'@'127.0.0.1' IDENTIFIED BY '${kamailioPassword}';`,
    `ALTER USER '${KAMAILIO_USER}'@'127.0.0.1' IDENTIFIED BY '${kamailioPassword}';`,
    '',
  ].join('\n')
}

/**
 * @param {MariadbOptions} options
 * @param {{data: string, directory: string, temporary: string, socket: string, initFile: string}} paths
 */
function configuration(options, { data, directory, temporary, socket, initFile }) {
  return `[mariadbd]
datadir = ${data}
# not /tmp: systemd removes the unit's private one, and an upgrade keeps this running
tmpdir = ${temporary}
socket = ${socket}
pid-file = ${join(directory, 'mariadbd.pid')}
init-file = ${initFile}
bind-address = 127.0.0.1
port = ${options.port}
skip-name-resolve
character-set-server = utf8mb4
collation-server = utf8mb4_unicode_ci
max-connections = ${options.maxConnections ?? 200}
innodb-buffer-pool-size = ${options.bufferPoolMb ?? 256}M
innodb-log-file-size = 48M
innodb-flush-log-at-trx-commit = ${options.durable === false ? 0 : 1}
innodb-doublewrite = ${options.durable === false ? 0 : 1}
max-allowed-packet = 64M
performance-schema = OFF
`
}

/**
 * Waits until the database accepts the user.
 * @param {MariadbOptions} options
 * @param {number} deadlineMs
 * @param {() => string | undefined} [giveUp] reason to stop waiting at once
 */
export async function mariadbReady(options, deadlineMs, giveUp) {
  const { user, password, port } = options
  await until(() => mysqlLogin({ host: '127.0.0.1', port, user, password }), {
    deadlineMs,
    what: 'MariaDB being ready',
    ...(giveUp ? { giveUp } : {}),
  })
}

/**
 * Health check of the database.
 * @param {MariadbOptions} options
 * @returns {Promise<{ok: boolean, detail: string}>}
 */
export async function checkMariadb({ port, user, password }) {
  try {
    await mysqlLogin({ host: '127.0.0.1', port, user, password })
    return { ok: true, detail: `port ${port}` }
  } catch (error) {
    return { ok: false, detail: messageOf(error) }
  }
}
