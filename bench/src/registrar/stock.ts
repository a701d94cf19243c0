/**
 * Stock Kamailio: Debian's tables as they come, and a configuration that registers with a digest and does nothing
 * else. It guards nothing, speaks UDP only, and keeps passwords as they are.
 */
import { type Connection } from 'mysql2/promise'
import { readFile } from 'node:fs/promises'
import { type BareKamailio, startBareKamailio } from './bare-kamailio.js'
import type { BenchAccount } from './phones.js'

const tables = ['standard', 'auth_db', 'usrloc'].map((name) => `/usr/share/kamailio/mysql/${name}-create.sql`)

/** Debian's tables and the accounts in them. */
export async function fillStock(connection: Connection, accounts: readonly BenchAccount[]): Promise<void> {
  for (const file of tables) {
    for (const statement of (await readFile(file, 'utf8')).split(';').filter((text) => text.trim() !== '')) {
      await connection.query(statement)
    }
  }
  await connection.query('INSERT INTO subscriber (username, domain, password) VALUES ?', [
    accounts.map(({ username, domain, password }) => [username, domain, password]),
  ])
}

const configuration = (url: string): string => `loadmodule "db_mysql.so"
loadmodule "pv.so"
loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "usrloc.so"
loadmodule "registrar.so"
loadmodule "auth.so"
loadmodule "auth_db.so"
modparam("usrloc", "db_url", "${url}")
modparam("usrloc", "db_mode", 1)
modparam("usrloc", "use_domain", 1)
modparam("auth_db", "db_url", "${url}")
modparam("auth_db", "calculate_ha1", 1)
modparam("auth_db", "password_column", "password")
modparam("auth_db", "use_domain", 1)
modparam("auth_db", "load_credentials", "")
request_route {
	if (!auth_check("$fd", "subscriber", "1")) {
		auth_challenge("$fd", "1");
		exit;
	}
	if (!save("location")) sl_reply_error();
}
`

/** Starts it. @param url of its database */
export async function startStock(workers: number, url: string): Promise<BareKamailio> {
  return startBareKamailio('stock', workers, configuration(url))
}
