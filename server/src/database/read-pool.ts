/**
 * The connections of the API's reads: what customers look for, in however large a table, takes none of those that calls and
 * changes have. Workspaces take turns at them, and the database ends a statement that takes too long.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool, PoolConnection } from 'mysql2'
import { NoTurnError, Turns } from '../turns.js'

const readers = new AsyncLocalStorage<string | null>()

/** Runs a read of the API: its statements, and no others, go over the connections of reads. */
export function reading<T>(workspaceId: string, work: () => T): T {
  return readers.run(workspaceId, work)
}

/** The workspace whose read is under way; null outside of reads. */
export function currentReader(): string | null {
  return readers.getStore() ?? null
}

/** A read found no connection, or the database ended its statement: it asks for too much. */
export class ReadTooLongError extends Error {}

/** MariaDB's number of the error (ER_STATEMENT_TIMEOUT), and MySQL's (ER_QUERY_TIMEOUT). */
const timeouts: ReadonlySet<number | undefined> = new Set([1969, 3024])

/** Whether the database ended a statement that took too long, or a read found no connection in time. */
export function isTooLong(error: unknown): boolean {
  return error instanceof ReadTooLongError || timeouts.has((error as { errno?: number } | null)?.errno)
}

/** MariaDB's limit is of all statements, MySQL's of SELECT alone. Each reads its own comment. */
export function statementLimit(seconds: number): string {
  return `SET @read = 0 /*M!100300 , SESSION max_statement_time = ${seconds} */ /*!80000 , SESSION max_execution_time = ${seconds * 1_000} */`
}

export class ReadPool {
  private readonly turns: Turns

  constructor(
    private readonly pool: Pool,
    connections: number,
    private readonly waitMs: number,
  ) {
    this.turns = new Turns({ ofOwner: connections, inAll: connections })
  }

  /** A connection, in the workspace's turn; its release passes the turn on. @throws {ReadTooLongError} none in time */
  async take(workspaceId: string): Promise<PoolConnection> {
    return new Promise((resolve, reject) => {
      const hold = async () =>
        new Promise<void>((done) => {
          this.pool.getConnection((error, connection) => {
            if (error) {
              reject(error)
              done()
            } else resolve(passingOn(connection, done))
          })
        })
      this.turns.take(workspaceId, this.waitMs, hold).catch((error: unknown) => {
        reject(
          error instanceof NoTurnError
            ? new ReadTooLongError('no connection came in time')
            : (error as Error),
        )
      })
    })
  }

  async end(): Promise<void> {
    await new Promise<void>((done) => this.pool.end(() => done()))
  }
}

/** The connection; its next release or end gives the place back. */
function passingOn(connection: PoolConnection, done: () => void): PoolConnection {
  const own: Partial<Pick<PoolConnection, 'release' | 'destroy'>> = connection
  const back = () => {
    // What stands in the prototype is called again.
    delete own.release
    delete own.destroy
    done()
  }
  connection.release = () => {
    back()
    connection.release()
  }
  connection.destroy = () => {
    back()
    connection.destroy()
  }
  return connection
}
