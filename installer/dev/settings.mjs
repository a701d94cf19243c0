/** Settings of `npm run dev`: its own state and ports, so that a trial or tests can run beside it. */
import { join } from 'node:path'
import { environmentName, readSettings } from '../settings.mjs'
import { ROOT } from '../settings.mjs'

/** By dotted name; environment variables take precedence. */
const OWN = {
  'http.port': 8180,
  'sip.port': 5160,
  'sip.tls_port': 5161,
  'sip.ws_port': 5166,
  'sip.wss_port': 5167,
  'rtp.start': 24000,
  'rtp.end': 25999,
  'edge.sip_port': 5160,
  'edge.rpc_port': 5170,
  'sip_capture.port': 5172,
  'switch.port': 8121,
  'switch.sip_port': 5180,
  'switch.app_port': 5190,
  'sandbox.smpp_port': 2875,
  'database.port': 13406,
  'database.buffer_pool_mb': 64,
}

/**
 * Puts them into the environment, which the supervisor and the parts inherit.
 * @param {{sandbox: boolean}} options
 */
export function devSettings({ sandbox }) {
  process.env['JACKFIELD_HOME'] ??= join(ROOT, 'var/dev')
  for (const [name, value] of Object.entries(OWN)) process.env[environmentName(name)] ??= String(value)
  if (sandbox) process.env[environmentName('switch.kind')] = 'sandbox'
  return readSettings()
}
