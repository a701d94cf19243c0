/** Transactions whose statements travel together, and how code that may be part of one adds to it. */
import type { Pool, PoolConnection } from 'mysql2'
import type { DataSource, EntityManager, QueryRunner } from 'typeorm'
import { Pipeline, RefusedError } from './pipeline.js'

const pipelines = new WeakMap<EntityManager, Pipeline>()

/**
 * Sends a statement with the next one whose result is needed, or with the commit: its error is the transaction's. At once,
 * and awaited, in any other transaction.
 */
export async function later(tx: EntityManager, sql: string, values: readonly unknown[]): Promise<void> {
  const pipeline = pipelines.get(tx)
  if (pipeline) pipeline.later(sql, values)
  else await tx.query(sql, [...values])
}

/** As {@link later}, for a change without which the transaction is undone. @throws {RefusedError} it has changed no row */
export async function mustChange(tx: EntityManager, sql: string, values: readonly unknown[]): Promise<void> {
  const pipeline = pipelines.get(tx)
  if (pipeline) {
    pipeline.mustChange(sql, values)
    return
  }
  const { affectedRows } = await tx.query<{ affectedRows: number }>(sql, [...values])
  if (affectedRows < 1) throw new RefusedError()
}

/** What TypeORM's runner of statements keeps for itself. */
interface RunnerInside {
  isTransactionActive: boolean
  transactionDepth: number
  query(sql: string, values?: readonly unknown[], isStructured?: boolean): Promise<unknown>
  connect(): Promise<PoolConnection>
}

/** @param pool whose connections may be sent several statements at once */
export async function combining<T>(
  source: DataSource,
  pool: Pool,
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> {
  const pipeline = new Pipeline(async () => connectionOf(pool))
  const runner = source.createQueryRunner()
  const tx = runner.manager
  sendOver(runner, pipeline)
  pipelines.set(tx, pipeline)
  let isOver = true
  try {
    const result = await work(tx)
    await pipeline.commit()
    return result
  } catch (error) {
    isOver = await pipeline.rollback().then(
      () => true,
      () => false,
    )
    throw error
  } finally {
    await runner.release()
    pipeline.release(isOver)
  }
}

/** Has TypeORM's own statements go over the pipeline, within its transaction. */
function sendOver(runner: QueryRunner, pipeline: Pipeline): void {
  const inside = runner as unknown as RunnerInside
  inside.isTransactionActive = true
  inside.transactionDepth = 1
  inside.connect = async () => pipeline.connect()
  inside.query = async (sql, values, isStructured) => {
    const raw = await pipeline.query(sql, values)
    return isStructured ? structured(raw) : raw
  }
}

function structured(raw: unknown) {
  const { affectedRows: affected } = raw as { affectedRows?: number }
  return { raw, records: Array.isArray(raw) ? raw : [], affected }
}

async function connectionOf(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => {
      if (error) reject(error)
      else resolve(connection)
    })
  })
}
