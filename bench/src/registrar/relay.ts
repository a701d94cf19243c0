/**
 * Stock Kamailio that passes calls on to one switch and does nothing else: it asks no database, hides nothing, and lets
 * everybody in.
 */
import { type BareKamailio, startBareKamailio } from './bare-kamailio.js'

const configuration = (switchPort: number): string => `loadmodule "pv.so"
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

/** Starts it. @param switchPort to which it passes calls on */
export async function startRelay(workers: number, switchPort: number): Promise<BareKamailio> {
  return startBareKamailio('relay', workers, configuration(switchPort))
}
