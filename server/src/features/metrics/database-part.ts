/** MariaDB or MySQL, by its own status. */
import type { Registry } from 'prom-client'
import type { Database } from '../../infrastructure/database/database.js'
import { Reading } from './instruments.js'
import type { MeasuredPart } from './part.js'

const names = [
  ...['Threads_connected', 'Threads_running', 'Slow_queries', 'Questions', 'Aborted_connects', 'Uptime'],
  ...['Innodb_buffer_pool_pages_total', 'Innodb_buffer_pool_pages_free', 'Innodb_buffer_pool_pages_dirty'],
  ...['Innodb_buffer_pool_reads', 'Innodb_buffer_pool_read_requests', 'Innodb_row_lock_waits'],
  ...['Innodb_row_lock_time', 'Innodb_deadlocks', 'Innodb_page_size'],
]

/** The size of the tables is looked at no more often than this: it is a walk through all of them. */
const sizeMs = 60_000

/** What statements are run on. */
export interface QuerySource {
  readonly source: Pick<Database['source'], 'query'>
}

export function databasePart(registry: Registry, database: QuerySource): MeasuredPart {
  const define = (kind: 'now' | 'total', name: string, help: string) =>
    new Reading(registry, kind, { name: `database_${name}`, help })
  const pages = new Reading(registry, 'now', {
    ...{ name: 'database_buffer_pool_bytes', help: 'InnoDB’s buffer pool, by state', labels: ['state'] },
  })
  const connected = define('now', 'connections', 'Connections of all programs')
  const most = define('now', 'connections_max', 'Connections that the database accepts')
  const running = define('now', 'threads_running', 'Connections that are running a statement')
  const slow = define('total', 'slow_queries_total', 'Statements that took longer than `long_query_time`')
  const questions = define('total', 'statements_total', 'Statements of all programs')
  const aborted = define('total', 'aborted_connects_total', 'Attempts to connect that failed')
  const reads = define('total', 'buffer_pool_reads_total', 'Pages that were read from the disk')
  const asked = define('total', 'buffer_pool_read_requests_total', 'Pages that were requested')
  const waits = define('total', 'row_lock_waits_total', 'Waits of a statement for a row lock')
  const waited = define('total', 'row_lock_wait_seconds_total', 'Time that statements waited for row locks')
  const deadlocks = define('total', 'deadlocks_total', 'Transactions that were rolled back for another one')
  const uptime = define('now', 'uptime_seconds', 'Time since the database started')
  const bytes = define('now', 'size_bytes', 'Size of tables and indexes, read once a minute')
  let size: { at: number; bytes: number } | undefined
  const sizeNow = async () => {
    if (size && Date.now() - size.at < sizeMs) return size.bytes
    const [row] = await database.source.query<{ bytes: number | string | null }[]>(
      `SELECT SUM(data_length + index_length) AS bytes FROM information_schema.tables
       WHERE table_schema = DATABASE()`,
    )
    size = { at: Date.now(), bytes: Number(row?.bytes ?? 0) }
    return size.bytes
  }
  return {
    name: 'database',
    readings: [
      ...[pages, connected, most, running, slow, questions, aborted, reads, asked, waits, waited, deadlocks],
      ...[uptime, bytes],
    ],
    async ask() {
      const [rows, [limits], sizeBytes] = await Promise.all([
        database.source.query<{ Variable_name: string; Value: string }[]>(
          'SHOW GLOBAL STATUS WHERE Variable_name IN (?)',
          [names],
        ),
        database.source.query<{ most: number | string }[]>('SELECT @@max_connections AS most'),
        sizeNow(),
      ])
      const seen = new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Number(Value)]))
      const of = (name: string) => seen.get(name)
      return () => {
        const page = of('Innodb_page_size') ?? 0
        const free = (of('Innodb_buffer_pool_pages_free') ?? 0) * page
        pages.put((of('Innodb_buffer_pool_pages_total') ?? 0) * page - free, { state: 'used' })
        pages.put(free, { state: 'free' })
        pages.put((of('Innodb_buffer_pool_pages_dirty') ?? 0) * page, { state: 'dirty' })
        connected.put(of('Threads_connected'))
        most.put(Number(limits?.most))
        running.put(of('Threads_running'))
        slow.put(of('Slow_queries'))
        questions.put(of('Questions'))
        aborted.put(of('Aborted_connects'))
        reads.put(of('Innodb_buffer_pool_reads'))
        asked.put(of('Innodb_buffer_pool_read_requests'))
        waits.put(of('Innodb_row_lock_waits'))
        waited.put((of('Innodb_row_lock_time') ?? 0) / 1000)
        deadlocks.put(of('Innodb_deadlocks'))
        uptime.put(of('Uptime'))
        bytes.put(sizeBytes)
      }
    },
  }
}
