/**
 * The tables of a database, as the migrations make them. They take seconds, and every appliance of a test needs them:
 * the first test of a build runs them and keeps what came of it, and all others load that.
 */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Connection, createConnection } from 'mysql2/promise'
import { grantToKamailio } from '../../src/adapters/kamailio/database-access.js'
import { Child } from './child.js'
import { serverModules, serverProgram } from './paths.js'

/** What a migration's result follows from. */
const folder = join(serverModules, 'infrastructure/database/migrations')

const kamailioAccount = 'kamailio@127.0.0.1'

interface Login {
  host: string
  port: number
  user: string
  password: string
}

/**
 * Makes the tables of an empty database, with Kamailio's rights on them.
 * @param name of the database
 * @throws when a migration fails
 */
export async function makeTables(login: Login, name: string): Promise<void> {
  const file = await keptFile()
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept === '') {
    await migrate(login, name)
    await keep(login, name, file)
    return
  }
  const connection = await createConnection({ ...login, database: name, multipleStatements: true })
  try {
    await connection.query(kept)
    await grantToKamailio(asQueryable(connection), kamailioAccount)
  } finally {
    await connection.end()
  }
}

async function keptFile(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of (await readdir(folder, { recursive: true }))
    .filter((name) => /(?<!\.d)\.[jt]s$/.test(name))
    .sort())
    hash.update(name).update(await readFile(join(folder, name)))
  return join(tmpdir(), `jackfield-test-tables-${hash.digest('hex').slice(0, 16)}.sql`)
}

async function migrate({ host, port, user, password }: Login, name: string): Promise<void> {
  const script = await Child.start(process.execPath, serverProgram('bin/migrate'), {
    env: {
      JACKFIELD_OPERATOR_TOKEN: 'of-no-use-to-a-migration',
      JACKFIELD_SECRET_KEY: randomBytes(32).toString('base64'),
      JACKFIELD_SWITCH_PASSWORD: '',
      JACKFIELD_DATABASE_HOST: host,
      JACKFIELD_DATABASE_PORT: String(port),
      JACKFIELD_DATABASE_USER: user,
      JACKFIELD_DATABASE_PASSWORD: password,
      JACKFIELD_DATABASE_NAME: name,
      JACKFIELD_EDGE_DATABASE_ACCOUNT: kamailioAccount,
    },
  })
  if ((await script.exitCode(60_000)) !== 0) throw new Error(script.output)
}

async function keep({ host, port, user, password }: Login, name: string, file: string): Promise<void> {
  const { stdout } = await promisify(execFile)(
    'mariadb-dump',
    [
      `--host=${host}`,
      `--port=${port}`,
      `--user=${user}`,
      '--skip-comments',
      '--skip-add-drop-table',
      '--skip-add-locks',
      '--skip-disable-keys',
      name,
    ],
    { env: { ...process.env, MYSQL_PWD: password }, maxBuffer: 16 * 1024 * 1024, timeout: 60_000 },
  )
  // Tests of another lane may do the same in this moment.
  const unfinished = `${file}.${process.pid}`
  await writeFile(unfinished, stdout)
  await rename(unfinished, file)
}

function asQueryable(connection: Connection): { query(sql: string): Promise<unknown> } {
  return { query: async (sql) => connection.query(sql) }
}
