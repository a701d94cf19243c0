/** What Kamailio may do in the database. */

interface Queryable {
  query(sql: string): Promise<unknown>
}

/**
 * Grants Kamailio's user its rights: to read who may register and who may call which number, and to write
 * registrations; nothing else.
 * @param account `user@host`; the user must exist, and ours needs the grant option
 * @throws {Error} when the database refuses
 */
export async function grantToKamailio(database: Queryable, account: string): Promise<void> {
  const at = account.lastIndexOf('@')
  const to = `'${account.slice(0, at)}'@'${account.slice(at + 1)}'`
  await database.query(`GRANT SELECT ON subscriber TO ${to}`)
  await database.query(`GRANT SELECT ON trunk_numbers TO ${to}`)
  await database.query(`GRANT SELECT ON registered_numbers TO ${to}`)
  await database.query(`GRANT SELECT ON dispatcher TO ${to}`)
  await database.query(`GRANT SELECT ON version TO ${to}`)
  await database.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON location TO ${to}`)
}
