/**
 * Migrations that go on where they were interrupted. MariaDB and MySQL commit each statement that changes tables at once,
 * so a migration that is killed half way cannot be rolled back, and begun again it would fail on what it has done already.
 * Each statement is therefore kept in a journal while its migration is under way, and is run once.
 */
import { createHash } from 'node:crypto'
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm'

type Migration = new () => MigrationInterface

interface Step {
  statement: string
  is_done: number
}

const table = 'migration_steps'

/** What only reads, and what holds for a connection alone, is run each time. */
const isRead = /^\s*(SELECT|SHOW|SET|DESCRIBE|EXPLAIN|CHECK)\b/i
/** Changes of rows, which a transaction holds together with their line in the journal. */
const isOfRows = /^\s*(INSERT|UPDATE|DELETE|REPLACE)\b/i

/** Error numbers of a statement that changes tables and was made before, of MariaDB and MySQL. */
const alreadyMade: ReadonlySet<number | undefined> = new Set([
  // tables, views and triggers that are there, or are gone
  ...[1050, 1051, 1146, 4092, 1359, 1360],
  // columns and keys
  ...[1060, 1054, 1061, 1091, 1072, 1068],
  // constraints
  ...[1826, 3822, 1005],
])

/** The same migrations; each one continues where it was interrupted. */
export function resumable(migrations: readonly Migration[]): Migration[] {
  return migrations.map((migration) => {
    const Resumable = class implements MigrationInterface {
      private readonly inner = new migration()

      async up(runner: QueryRunner): Promise<void> {
        await this.inner.up(await journaled(runner, migration.name))
      }

      async down(runner: QueryRunner): Promise<void> {
        await this.inner.down(runner)
      }
    }
    // TypeORM keeps migrations by the names of their classes.
    Object.defineProperty(Resumable, 'name', { value: migration.name })
    return Resumable
  })
}

/** Once all migrations are done. */
export async function dropJournal(source: DataSource): Promise<void> {
  await source.query(`DROP TABLE IF EXISTS ${table}`)
}

/** A runner that runs each changing statement of a migration once, over all attempts. */
async function journaled(runner: QueryRunner, migration: string): Promise<QueryRunner> {
  await runner.query(
    `CREATE TABLE IF NOT EXISTS ${table} (
       migration VARCHAR(120) NOT NULL,
       statement CHAR(64) NOT NULL,
       is_done TINYINT NOT NULL,
       PRIMARY KEY (migration, statement)
     )`,
  )
  const rows = (await runner.query(`SELECT statement, is_done FROM ${table} WHERE migration = ?`, [
    migration,
  ])) as Step[]
  const earlier = new Map(rows.map(({ statement, is_done }) => [statement, is_done === 1]))
  const times = new Map<string, number>()

  const keep = async (statement: string, isDone: boolean): Promise<void> => {
    await runner.query(
      `INSERT INTO ${table} (migration, statement, is_done) VALUES (?, ?, ?)
       ON DUPLICATE KEY UPDATE is_done = VALUES(is_done)`,
      [migration, statement, isDone],
    )
  }

  const ofRows = async (statement: string, sql: string, parameters?: unknown[]): Promise<unknown> => {
    await runner.query('START TRANSACTION')
    try {
      const result: unknown = await runner.query(sql, parameters)
      await keep(statement, true)
      await runner.query('COMMIT')
      return result
    } catch (error) {
      await runner.query('ROLLBACK').catch(() => undefined)
      throw error
    }
  }

  const ofTables = async (statement: string, sql: string, parameters?: unknown[]): Promise<unknown> => {
    const wasBegun = earlier.has(statement)
    // the statement commits this line before it begins
    await keep(statement, false)
    const result: unknown = await runner.query(sql, parameters).catch(async (error: unknown) => {
      if (wasBegun && alreadyMade.has((error as { errno?: number }).errno)) return undefined
      await runner.query(`DELETE FROM ${table} WHERE migration = ? AND statement = ?`, [migration, statement])
      throw error
    })
    await keep(statement, true)
    return result
  }

  const query = async (sql: string, parameters?: unknown[]): Promise<unknown> => {
    if (isRead.test(sql)) return runner.query(sql, parameters)
    const text = JSON.stringify([sql, parameters ?? []])
    const time = (times.get(text) ?? 0) + 1
    times.set(text, time)
    const statement = createHash('sha256').update(`${time} ${text}`).digest('hex')
    if (earlier.get(statement)) return undefined
    return isOfRows.test(sql) ? ofRows(statement, sql, parameters) : ofTables(statement, sql, parameters)
  }
  return new Proxy(runner, {
    get: (target, name) => (name === 'query' ? query : (Reflect.get(target, name) as unknown)),
  })
}
