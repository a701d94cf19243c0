/**
 * Stock Kamailio: Debian's tables as they come, and a configuration that registers with a digest and does nothing
 * else. It guards nothing, speaks UDP only, and keeps passwords as they are.
 */
import { type Connection } from 'mysql2/promise'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from '../../../server/dist/test/support/child.js'
import { freePort } from '../../../server/dist/test/support/free-ports.js'
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

const configuration = (port: number, workers: number, url: string): string => `#!KAMAILIO
debug=1
log_stderror=yes
fork=yes
children=${workers}
auto_aliases=no
disable_tcp=yes
listen=udp:127.0.0.1:${port}
loadmodule "db_mysql.so"
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

export interface StockKamailio {
  readonly port: number
  /** Its files lie there; its processes name it in their command lines. */
  readonly directory: string
  stop(): Promise<void>
}

/** Starts one with as much memory as ours. @param url of its database */
export async function startStock(workers: number, url: string): Promise<StockKamailio> {
  const directory = await mkdtemp(join(tmpdir(), 'jackfield-bench-stock-'))
  const port = await freePort()
  const file = join(directory, 'kamailio.cfg')
  await writeFile(file, configuration(port, workers, url), { mode: 0o600 })
  const child = await Child.start('kamailio', [
    '-DD',
    '-E',
    '-f',
    file,
    '-w',
    directory,
    '-m',
    '256',
    '-M',
    '16',
  ])
  await sleep(2000)
  if (child.obituary) throw new Error(child.obituary)
  return {
    ...{ port, directory },
    async stop() {
      await child.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
