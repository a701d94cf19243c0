/** Settings of each connection to the database. */
import type { PoolOptions } from 'mysql2'

/** Rows that others wrote are seen as soon as they are committed, also within a transaction. */
const isolation = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'

/** Seconds after which MySQL ends a connection that says nothing, and with it a transaction. */
const mysqlSilenceSeconds = 30

/**
 * The database hears nothing of a machine that vanished, and would keep for hours what that has locked. MariaDB ends a
 * transaction that says nothing for so many seconds. MySQL has no such limit: it ends the connection, see
 * {@link idleConnections}. Each reads its own comment alone.
 */
const idleTransaction = `SET @idle = 0 /*M!100300 , SESSION idle_transaction_timeout = 10 */ /*!80000 , SESSION wait_timeout = ${mysqlSilenceSeconds} */`

export const perSession = [isolation, idleTransaction]

/** How often Galera itself retries a single statement that conflicts with one of another node. */
export const galeraRetries = 'SET SESSION wsrep_retry_autocommit = 10'

/** Locks and statements wait no longer than this for a connection, in milliseconds. */
export const connectTimeoutMs = 10_000

/**
 * How long connections of the pool may be idle. MySQL closes idle connections: they are closed well before that, so that no
 * statement is sent on a connection that is about to end. With MariaDB all are kept.
 * @param version as the database reports it
 */
export function idleConnections(version: string, pool: number): Pick<PoolOptions, 'maxIdle' | 'idleTimeout'> {
  if (/mariadb/i.test(version)) return { maxIdle: pool }
  return { maxIdle: 0, idleTimeout: (mysqlSilenceSeconds * 1_000) / 2 }
}
