/** A database as it was before the baseline: all migrations that it replaces have run, and each table has rows. */
import { createConnection } from 'mysql2/promise'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Mariadb } from './mariadb.js'
import { pathOf } from './paths.js'

/**
 * Most rows of the dump were written by a server of the commit before, as the API's tests made one of each resource; tables
 * that were empty then got one row each.
 */
export async function loadBeforeBaseline(mariadb: Mariadb, name: string): Promise<void> {
  const dump = await promisify(gunzip)(await readFile(pathOf('server/test/fixtures/before-baseline.sql.gz')))
  const { host, port, user, password } = mariadb
  const connection = await createConnection({
    ...{ host, port, user, password },
    ...{ database: name, multipleStatements: true },
  })
  try {
    await connection.query(dump.toString())
  } finally {
    await connection.end()
  }
}
