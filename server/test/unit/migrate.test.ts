/** The program that brings the tables to this version, while other cells live on them: on a real MariaDB. */
import { expect } from 'chai'
import { Database } from '../../src/infrastructure/database/database.js'
import { migrations } from '../../src/infrastructure/database/migrations/index.js'
import { loadBeforeBaseline } from '../support/before-baseline.js'
import { Child } from '../support/child.js'
import { type Mariadb, sharedMariadb } from '../support/mariadb.js'
import { serverProgram } from '../support/paths.js'

describe('migrations', function () {
  this.timeout(120_000)
  let mariadb: Mariadb
  let name: string
  let database: Database

  before(async () => {
    mariadb = await sharedMariadb()
    name = await mariadb.createDatabase()
    const { host, port, user, password } = mariadb
    const settings = { host, port, user, password, name, socket: '', pool: 2 }
    await loadBeforeBaseline(mariadb, name)
    database = new Database(settings, [])
    await database.connect()
  })
  after(async () => database?.close())

  const start = async (...args: string[]) =>
    Child.start(process.execPath, [...serverProgram('bin/migrate'), ...args], {
      env: {
        ...{ JACKFIELD_OPERATOR_TOKEN: 'of-no-use-to-a-migration', JACKFIELD_SWITCH_PASSWORD: '' },
        JACKFIELD_SECRET_KEY: Buffer.alloc(32).toString('base64'),
        ...{ JACKFIELD_DATABASE_HOST: mariadb.host, JACKFIELD_DATABASE_PORT: String(mariadb.port) },
        ...{ JACKFIELD_DATABASE_USER: mariadb.user, JACKFIELD_DATABASE_PASSWORD: mariadb.password },
        ...{ JACKFIELD_DATABASE_NAME: name, JACKFIELD_CELL: 'one' },
      },
    })
  const migrate = async (...args: string[]) => {
    const child = await start(...args)
    return { code: await child.exitCode(60_000), output: child.output }
  }
  const done = async () =>
    (await database.source.query<object[]>('SELECT 1 FROM migrations')).length === migrations.length

  it('are not made under another cell that lives, and are once it has stopped', async () => {
    const beat = async () =>
      database.source.query(
        `INSERT INTO cells (name, switch_address, server_id, beat_at)
         VALUES ('one', '', '', UTC_TIMESTAMP(3)), ('two', '', '', UTC_TIMESTAMP(3))
         ON DUPLICATE KEY UPDATE beat_at = UTC_TIMESTAMP(3)`,
      )
    await beat()
    const timer = setInterval(() => void beat(), 500)
    try {
      for (const args of [[], ['--check']]) {
        const { code, output } = await migrate(...args)
        expect(code).to.equal(3)
        expect(output).to.include('under them: two. Stop them first')
      }
      expect(await done()).to.equal(false)
    } finally {
      clearInterval(timer)
    }
    // It has stopped only now: the last beat is young.
    const began = performance.now()
    expect((await migrate('--check')).code).to.equal(0)
    expect(performance.now() - began).to.be.above(3_000)
    expect(await done()).to.equal(false)
    const { code, output } = await migrate()
    expect(code, output).to.equal(0)
    expect(await done()).to.equal(true)
  })

  it('have nothing to wait for where all are made', async () => {
    const began = performance.now()
    expect((await migrate()).code).to.equal(0)
    expect(performance.now() - began).to.be.below(6_000)
  })

  it('are made where a clock was set back, and the beat of one that has stopped lies ahead', async () => {
    await database.source.query(
      "UPDATE cells SET beat_at = UTC_TIMESTAMP(3) + INTERVAL 1 HOUR WHERE name = 'two'",
    )
    await database.source.query('DELETE FROM migrations ORDER BY timestamp DESC LIMIT 1')
    expect((await migrate('--check')).code).to.equal(0)
  })

  it('go on where they were killed, also on the first start', async () => {
    name = await mariadb.createDatabase()
    let kills = 0
    for (let lifeMs = 600; ; lifeMs *= 1.5) {
      const child = await start()
      const timer = setTimeout(() => process.kill(child.pid, 'SIGKILL'), lifeMs)
      const code = await child.exitCode(60_000)
      clearTimeout(timer)
      if (code === 0) break
      expect(code, child.output).to.equal(null)
      kills++
    }
    expect(kills).to.be.above(0)
    const { host, port, user, password } = mariadb
    const fresh = new Database({ host, port, user, password, name, socket: '', pool: 1 }, [])
    await fresh.connect()
    expect(await fresh.source.query('SELECT name FROM migrations')).to.have.length(migrations.length)
    expect(await fresh.source.query("SHOW TABLES LIKE 'migration_steps'")).to.deep.equal([])
    await fresh.close()
  })
})
