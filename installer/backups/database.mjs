/**
 * The database in a backup: a logical dump. It is consistent without stopping anything (one InnoDB snapshot), and it
 * can be loaded into any later MariaDB or MySQL, including an external one; copies of MariaDB's files cannot.
 */
import { createReadStream, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { createGzip, createGunzip } from 'node:zlib'
import { Failure } from '../failure.mjs'
import { pipe, startedAgain } from './pipe.mjs'

/** @typedef {{host: string, port: number, user: string, password: string, name: string}} Login */

/** @param {Login} login @returns {{args: string[], env: Record<string, string>}} */
function connection({ host, port, user, password }) {
  return {
    args: [
      ...['--no-defaults', '--protocol=tcp', `--host=${host}`, `--port=${port}`, `--user=${user}`],
      // Like the server and Kamailio, without TLS: since 11.4 clients require it by default, which not every database has.
      '--skip-ssl-verify-server-cert',
    ],
    env: { MYSQL_PWD: password },
  }
}

/**
 * The loading user becomes the definer of views: the user's name may differ there.
 * No line of data in a dump starts like this, as line feeds in it are written as
 * .
 */
const WITHOUT_DEFINER = 's/^(\\/\\*!50013) DEFINER=`[^`]*`@`[^`]*`/\\1/'

/**
 * Dumps all tables, views, triggers and routines in one snapshot.
 * @param {Login} login
 * @param {string} file gzip
 * @param {() => Promise<void>} whenFrozen called once the snapshot is taken
 */
export async function dumpDatabase(login, file, whenFrozen) {
  let isFrozen = false
  await startedAgain(async (attempt) => {
    if (attempt > 1) rmSync(file)
    // A second snapshot would be later than what the caller did at the first.
    if (isFrozen) throw new Failure('the dump of the database was ended by a signal')
    await dumpOnce(login, file, async () => {
      isFrozen = true
      return whenFrozen()
    })
  })
}

/** @param {Login} login @param {string} file @param {() => Promise<void>} whenFrozen */
async function dumpOnce(login, file, whenFrozen) {
  const { args, env } = connection(login)
  /** @type {Promise<void> | undefined} */
  let frozen
  const look = new Transform({
    transform(chunk, _, done) {
      // The first table is written after the snapshot was taken.
      if (!frozen && chunk.includes('CREATE TABLE')) {
        frozen = whenFrozen()
        frozen.catch(() => {}) // awaited below
      }
      done(null, chunk)
    },
  })
  const options = [
    ...['--single-transaction', '--quick', '--routines', '--triggers', '--hex-blob', '--no-tablespaces'],
    ...['--default-character-set=utf8mb4', '--max-allowed-packet=256M', '--skip-dump-date'],
  ]
  const zip = createGzip({ level: 1 })
  // Opened before anything can fail: the next attempt removes the file.
  const written = (await open(file, 'wx', 0o600)).createWriteStream({ flush: true })
  const packed = new Promise((resolve, reject) => {
    // Closed is flushed.
    written.on('close', () => resolve(undefined)).on('error', reject)
    zip.on('error', reject)
  })
  packed.catch(() => {}) // reported by the pipe, or awaited below
  written.on('error', (error) => zip.destroy(error))
  zip.pipe(written)
  try {
    await pipe(
      [
        { command: 'mariadb-dump', args: [...args, ...options, login.name], env },
        { command: 'sed', args: ['-u', '-E', WITHOUT_DEFINER], env: { LC_ALL: 'C' } },
      ],
      { output: zip, look, what: 'the dump of the database' },
    )
    await packed
  } catch (error) {
    written.destroy()
    throw error
  }
  await (frozen ?? whenFrozen())
}

/**
 * Loads a dump into an empty database.
 * @param {Login} login
 * @param {string} file gzip
 */
export async function loadDatabase(login, file) {
  const { args, env } = connection(login)
  const unpacked = createReadStream(file).on('error', (error) => plain.destroy(error))
  const plain = unpacked.pipe(createGunzip())
  await pipe(
    [
      {
        command: 'mariadb',
        args: [
          ...args,
          '--batch',
          '--max-allowed-packet=256M',
          '--default-character-set=utf8mb4',
          login.name,
        ],
        env,
      },
    ],
    { input: plain, what: 'the loading of the database' },
  )
}

/**
 * Runs a small query.
 * @param {Login} login
 * @param {string} sql
 * @returns {Promise<string[]>} rows, columns separated by tabs
 */
export async function query(login, sql) {
  return startedAgain(async () => queryOnce(login, sql))
}

/** @param {Login} login @param {string} sql @returns {Promise<string[]>} */
async function queryOnce(login, sql) {
  const { args, env } = connection(login)
  /** @type {string[]} */
  const found = []
  const output = new Transform({
    transform(chunk, _, done) {
      found.push(chunk.toString('utf8'))
      done()
    },
  }).resume()
  await pipe(
    [{ command: 'mariadb', args: [...args, '--batch', '--skip-column-names', '-e', sql, login.name], env }],
    { output, what: 'the database' },
  )
  return found.join('').split('\n').filter(Boolean)
}

/** @param {Login} login @returns {Promise<string[]>} names of its migrations, oldest first */
export async function migrationsOf(login) {
  return query(login, 'SELECT name FROM migrations ORDER BY timestamp')
}

/** @param {Login} login @returns {Promise<{tables: string[], views: string[]}>} */
export async function tablesOf(login) {
  const rows = await query(
    login,
    'SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = DATABASE()',
  )
  const named = rows.map((row) => row.split('\t'))
  return {
    tables: named.flatMap(([name = '', type]) => (type === 'BASE TABLE' ? [name] : [])),
    views: named.flatMap(([name = '', type]) => (type === 'VIEW' ? [name] : [])),
  }
}

/** Removes every table and view. @param {Login} login */
export async function emptyDatabase(login) {
  const { tables, views } = await tablesOf(login)
  const drops = [
    ...views.map((name) => `DROP VIEW \`${name}\``),
    ...tables.map((name) => `DROP TABLE \`${name}\``),
  ]
  if (drops.length > 0) await query(login, `SET FOREIGN_KEY_CHECKS = 0; ${drops.join('; ')}`)
}
