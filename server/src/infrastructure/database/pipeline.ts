/**
 * Statements of one transaction that travel together. A round trip costs the server and the database more than most of the
 * statements of a call, and rows stay locked while it lasts.
 */
import type { PoolConnection } from 'mysql2'
import { QueryFailedError } from 'typeorm'
import { topics } from '../observability/telemetry.js'
import { currentSpan } from '../observability/tracing-contexts.js'
import { firstWord, firstTable } from './statement-names.js'

interface Statement {
  readonly sql: string
  readonly values: readonly unknown[]
  readonly resolve?: (result: unknown) => void
  readonly reject?: (error: unknown) => void
}

/** A change that had to meet a row did not: the transaction is undone. */
export class RefusedError extends Error {
  constructor() {
    super('a change that the transaction depends on met no row')
  }
}

/**
 * Fails where the statement before it changed no row, so that what follows it in one packet is not done: MariaDB and MySQL
 * have no other condition outside of stored programs.
 */
const changedOne = 'SELECT 18446744073709551615 + (ROW_COUNT() < 1)'

/** MariaDB's and MySQL's number of that error (ER_DATA_OUT_OF_RANGE). */
const outOfRange = 1690

export class Pipeline {
  private waiting: Statement[] = []
  private connection: Promise<PoolConnection> | undefined
  private sending: Promise<void> | undefined
  private hasBegun = false
  /** Why statements that nothing waits for may be lost: such a transaction is not committed. */
  private broken: Error | undefined

  /** @param take a connection that may be sent several statements at once */
  constructor(private readonly take: () => Promise<PoolConnection>) {}

  /** The transaction's connection. */
  async connect(): Promise<PoolConnection> {
    return (this.connection ??= this.take())
  }

  /** Sends a statement with the next one whose result is needed, or with the commit. Its error is the transaction's. */
  later(sql: string, values: readonly unknown[]): void {
    this.waiting.push({ sql, values })
  }

  /** As {@link later}; the transaction fails with a {@link RefusedError} unless the statement changes a row. */
  mustChange(sql: string, values: readonly unknown[]): void {
    this.later(sql, values)
    this.later(changedOne, [])
  }

  /** The result of a statement, and of those that are asked for in the same tick, in one round trip. */
  async query(sql: string, values: readonly unknown[] = []): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ sql, values, resolve, reject })
      this.sending ??= Promise.resolve().then(async () => this.send())
    })
  }

  /** Ends the transaction, with what still waits. */
  async commit(): Promise<void> {
    if (this.broken) throw this.broken
    if (this.hasBegun || this.waiting.length > 0) await this.query('COMMIT')
  }

  async rollback(): Promise<void> {
    this.waiting = []
    if (this.hasBegun) await this.query('ROLLBACK')
  }

  /** Gives the connection back; one whose transaction may still be open is closed, which undoes it. */
  release(isOver: boolean): void {
    this.connection?.then(
      (connection) => (isOver ? connection.release() : connection.destroy()),
      () => undefined,
    )
  }

  private async send(): Promise<void> {
    while (this.waiting.length > 0) {
      const statements = this.waiting.splice(0)
      if (!this.hasBegun) statements.unshift({ sql: 'START TRANSACTION', values: [] })
      try {
        const results = await this.exchange(statements)
        statements.forEach(({ resolve }, index) => resolve?.(results[index]))
      } catch (error) {
        if (statements.length > 1) this.broken = error as Error
        for (const { reject } of statements) reject?.(error)
      }
    }
    this.sending = undefined
  }

  private async exchange(statements: readonly Statement[]): Promise<readonly unknown[]> {
    const connection = await this.connect()
    this.hasBegun = true
    const sql = statements.map((one) => one.sql).join(';\n')
    const values = statements.flatMap((one) => one.values)
    const began = performance.now()
    const result = await new Promise((resolve, reject) => {
      connection.query({ sql, values }, (error, results) => {
        if (!error) resolve(results)
        else if (error.errno === outOfRange && sql.includes(changedOne)) reject(new RefusedError())
        else reject(new QueryFailedError(sql, values, error))
      })
    }).catch((error: unknown) => {
      if (!(error instanceof RefusedError)) publishFailure(statements, error)
      throw error
    })
    publishTimes(statements, (performance.now() - began) / 1_000)
    return statements.length === 1 ? [result] : (result as unknown[])
  }
}

function publishFailure(statements: readonly Statement[], error: unknown): void {
  const last = statements.at(-1)?.sql ?? ''
  topics.queryFailed.publish({ statement: firstWord(last), code: (error as { code?: string }).code ?? '' })
}

/** Each has an equal part of the time of all. @param seconds of all */
function publishTimes(statements: readonly Statement[], seconds: number): void {
  const context = currentSpan()
  for (const { sql } of statements) {
    if (sql === changedOne) continue
    const table = context ? firstTable(sql) : null
    topics.query.publish({
      ...{ statement: firstWord(sql), seconds: seconds / statements.length },
      ...{ context, table },
    })
  }
}
