/**
 * A pool of connections in which workspaces take turns: that of the API's reads, so that what customers look for takes none of
 * those that calls and changes have, and that of background work. The database ends a statement of a read that takes too long.
 */
import type { Pool, PoolConnection } from 'mysql2'
import { NoTurnError, type PlaceLimits, Turns } from '../../lib/turns.js'

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

interface Options {
  readonly limits: PlaceLimits
  /** Milliseconds that a connection is waited for. */
  readonly waitMs: number
  /** The error when none came by then. */
  readonly late: () => Error
}

export class TurnPool {
  private readonly turns: Turns

  constructor(
    private readonly pool: Pool,
    private readonly options: Options,
  ) {
    this.turns = new Turns(options.limits)
  }

  /** A connection, in the workspace's turn; its release passes the turn on. @throws the error of the options: none in time */
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
      this.turns.take(workspaceId, this.options.waitMs, hold).catch((error: unknown) => {
        reject(error instanceof NoTurnError ? this.options.late() : (error as Error))
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
    // Uncovers the prototype's methods again.
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
