/** Pools of connections beside that of TypeORM's driver. */
import type { Pool, PoolConnection } from 'mysql2'

/** What TypeORM's driver keeps and does for itself. */
export interface DriverInside {
  readonly pool: Pool
  readonly options: object
  createConnectionOptions(options: object, credentials: object): object
  createPool(options: object): Promise<Pool>
  prepareDbConnection(connection: PoolConnection): PoolConnection
  obtainMasterConnection(): Promise<PoolConnection>
}

/** Private state of mysql2's pool. */
export interface PoolInside {
  readonly _allConnections: { readonly length: number }
  readonly _freeConnections: { readonly length: number }
  readonly _connectionQueue: { readonly length: number }
}

/** One more pool on the same database, with settings of its own. */
export async function sidePool(
  driver: DriverInside,
  connections: number,
  settings: readonly string[],
  own: { multipleStatements?: boolean } = {},
): Promise<Pool> {
  const options = { ...driver.options, poolSize: connections, ...own }
  const pool = await driver.createPool(driver.createConnectionOptions(options, options))
  // The connection that tried whether the database answers was made before this.
  setForEach(pool, settings)
  for (const setting of settings) await pool.promise().query(setting)
  return pool
}

/** Set once for each connection: before each transaction it would be one more statement. */
export function setForEach(pool: Pool, settings: readonly string[]): void {
  pool.on('connection', (connection) => {
    keepPromises(connection)
    for (const setting of settings) void connection.query(setting)
  })
}

/** TypeORM asks for a connection's promise API with each query, and mysql2 wraps it again each time. */
function keepPromises(connection: PoolConnection): void {
  const promises = connection.promise()
  connection.promise = () => promises
}
