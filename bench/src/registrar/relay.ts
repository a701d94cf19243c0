/**
 * Stock Kamailio that passes calls on to one switch and does nothing else: it asks no database, hides nothing, and lets
 * everybody in.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from '../../../server/dist/test/support/child.js'
import { freePort } from '../../../server/dist/test/support/free-ports.js'
import type { StockKamailio } from './stock.js'

const configuration = (port: number, workers: number, switchPort: number): string => `#!KAMAILIO
debug=1
log_stderror=yes
fork=yes
children=${workers}
auto_aliases=no
disable_tcp=yes
listen=udp:127.0.0.1:${port}
loadmodule "pv.so"
loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "maxfwd.so"
loadmodule "siputils.so"
loadmodule "textops.so"
modparam("rr", "enable_full_lr", 1)
request_route {
	if (!mf_process_maxfwd_header("10")) {
		sl_send_reply("483", "Too Many Hops");
		exit;
	}
	if (has_totag()) {
		if (loose_route()) t_relay();
		exit;
	}
	if (is_method("CANCEL")) {
		if (t_check_trans()) t_relay();
		exit;
	}
	record_route();
	$du = "sip:127.0.0.1:${switchPort}";
	if (!t_relay()) sl_reply_error();
}
`

/** Starts one with as much memory as ours. */
export async function startRelay(workers: number, switchPort: number): Promise<StockKamailio> {
  const directory = await mkdtemp(join(tmpdir(), 'jackfield-bench-relay-'))
  const port = await freePort()
  const file = join(directory, 'kamailio.cfg')
  await writeFile(file, configuration(port, workers, switchPort), { mode: 0o600 })
  const memory = ['-m', '256', '-M', '16']
  const child = await Child.start('kamailio', ['-DD', '-E', '-f', file, '-w', directory, ...memory])
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
