/** Looks into the database of an appliance, past the server. */
import type { Appliance } from '../support/appliance.js'
import { runStatement } from '../support/mariadb.js'

/** Runs one statement. */
export async function query(appliance: Appliance, sql: string, values: unknown[] = []): Promise<any[]> {
  return runStatement(appliance.mariadb, appliance.databaseName, sql, values)
}

/** Every value of every table that holds a text: for proof that a secret stands nowhere. */
export async function tablesHolding(appliance: Appliance, text: string): Promise<string[]> {
  const columns = await query(
    appliance,
    'SELECT table_name AS t, column_name AS c FROM information_schema.columns WHERE table_schema = ?',
    [appliance.databaseName],
  )
  const found = []
  for (const { t, c } of columns as { t: string; c: string }[]) {
    const [{ n }] = (await query(
      appliance,
      `SELECT COUNT(*) AS n FROM \`${t}\` WHERE INSTR(CONVERT(\`${c}\` USING utf8mb4), ?)`,
      [text],
    )) as [{ n: number }]
    if (n > 0) found.push(`${t}.${c}`)
  }
  return found
}
