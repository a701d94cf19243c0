/** Facts about the database, as it reports them. */
import type { Database } from '../../infrastructure/database/database.js'
import type { DatabaseFacts } from './status.schema.js'

/** @throws when it does not answer */
export async function databaseFacts({ source }: Database): Promise<DatabaseFacts> {
  const begun = performance.now()
  const [server] = await source.query<{ version: string; most: number | string }[]>(
    'SELECT VERSION() AS version, @@max_connections AS most',
  )
  const latency = performance.now() - begun
  const [[size], [threads]] = await Promise.all([
    source.query<{ bytes: number | string | null }[]>(
      `SELECT SUM(data_length + index_length) AS bytes FROM information_schema.tables
       WHERE table_schema = DATABASE()`,
    ),
    source.query<{ Value: string }[]>("SHOW GLOBAL STATUS LIKE 'Threads_connected'"),
  ])
  return {
    version: server?.version ?? '',
    latency_ms: Math.round(latency * 10) / 10,
    size_bytes: Number(size?.bytes ?? 0),
    connections: Number(threads?.Value ?? 0),
    max_connections: Number(server?.most ?? 0),
  }
}
