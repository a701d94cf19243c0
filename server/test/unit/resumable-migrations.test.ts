/** Migrations that are killed and begun again: on a real MariaDB, after and within each of their statements. */
import { expect } from 'chai'
import type { MigrationInterface, QueryRunner } from 'typeorm'
import { Database } from '../../src/infrastructure/database/database.js'
import { migrations } from '../../src/infrastructure/database/migrations/index.js'
import { dropJournal, resumable } from '../../src/infrastructure/database/resumable-migrations.js'
import { type Mariadb, sharedMariadb } from '../support/mariadb.js'

type Migration = new () => MigrationInterface

/** What stands for the end of the process. */
class Killed extends Error {}

/** A runner that dies once it has made some statements, each before anything can say that it was made. */
function mortal(runner: QueryRunner, life: { statements: number }): QueryRunner {
  const query = async (sql: string, ...rest: [unknown[]?, true?]): Promise<unknown> => {
    if (life.statements <= 0) throw new Killed()
    const result: unknown = await runner.query(sql, ...(rest as []))
    const isOwn = /migration_steps|^(SELECT|SHOW|START|COMMIT|ROLLBACK)/i.test(sql)
    if (!isOwn && --life.statements === 0) throw new Killed()
    return result
  }
  return new Proxy(runner, {
    get: (target, name) => (name === 'query' ? query : (Reflect.get(target, name) as unknown)),
  })
}

describe('migrations that are interrupted', function () {
  this.timeout(300_000)
  let mariadb: Mariadb

  before(async () => {
    mariadb = await sharedMariadb()
  })

  const open = async (name: string, list: readonly Migration[]): Promise<Database> => {
    const { host, port, user, password } = mariadb
    const database = new Database({ host, port, user, password, name, socket: '', pool: 1 }, [], list)
    await database.connect()
    return database
  }

  /** Runs as much as it lives for. @returns whether all is done */
  const attempt = async (name: string, list: readonly Migration[], statements: number): Promise<boolean> => {
    const life = { statements }
    const database = await open(name, resumable(list))
    // all go over the one connection that the migrations have
    const create = database.source.createQueryRunner.bind(database.source)
    database.source.createQueryRunner = (mode) => mortal(create(mode), life)
    try {
      await database.source.runMigrations()
      await dropJournal(database.source)
      return true
    } catch (error) {
      if (error instanceof Killed) return false
      throw error
    } finally {
      await database.close()
    }
  }

  const tablesOf = async (name: string): Promise<unknown> => {
    const database = await open(name, [])
    const ask = async (sql: string) => database.source.query<object[]>(sql)
    const all = [
      await ask(
        `SELECT table_name, column_name, ordinal_position, column_default, is_nullable, column_type, collation_name, generation_expression
         FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY 1, 3`,
      ),
      await ask(
        `SELECT table_name, index_name, seq_in_index, column_name, non_unique
         FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY 1, 2, 3`,
      ),
      await ask(
        `SELECT table_name, constraint_name, delete_rule FROM information_schema.referential_constraints
         WHERE constraint_schema = DATABASE() ORDER BY 1, 2`,
      ),
      await ask('SELECT name FROM migrations ORDER BY timestamp'),
    ]
    await database.close()
    return all
  }

  it('go on with the next statement, at each of their statements', async () => {
    const whole = await mariadb.createDatabase()
    const database = await open(whole, migrations)
    await database.source.runMigrations()
    await database.close()
    const name = await mariadb.createDatabase()
    let attempts = 1
    while (!(await attempt(name, migrations, 2))) attempts++
    expect(attempts).to.be.above(50)
    expect(await tablesOf(name)).to.deep.equal(await tablesOf(whole))
  })

  it('change rows once', async () => {
    class Counts1790000009001 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('CREATE TABLE counts (n INT NOT NULL)')
        await runner.query('INSERT INTO counts VALUES (1)')
        await runner.query('UPDATE counts SET n = n + 1')
        await runner.query('UPDATE counts SET n = n + 1')
        await runner.query('ALTER TABLE counts ADD COLUMN m INT NOT NULL DEFAULT 0')
      }
      async down(): Promise<void> {
        await Promise.resolve()
      }
    }
    const name = await mariadb.createDatabase()
    let attempts = 1
    while (!(await attempt(name, [Counts1790000009001], 2))) expect(attempts++).to.be.below(20)
    const database = await open(name, [])
    expect(await database.source.query('SELECT n, m FROM counts')).to.deep.equal([{ n: 3, m: 0 }])
    await database.close()
  })

  it('that are wrong fail each time', async () => {
    class Wrong1790000009002 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('CREATE TABLE rights (n INT NOT NULL)')
        await runner.query('ALTER TABLE rights ADD COLUMN n INT NOT NULL')
      }
      async down(): Promise<void> {
        await Promise.resolve()
      }
    }
    const name = await mariadb.createDatabase()
    for (let time = 0; time < 3; time++) {
      const error = await attempt(name, [Wrong1790000009002], Infinity).then(
        () => undefined,
        (thrown: unknown) => String(thrown),
      )
      expect(error).to.include('Duplicate column name')
    }
  })
})
