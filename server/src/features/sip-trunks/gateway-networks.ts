/** Which networks gateways may lead to beside the public ones. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Config } from '../../config/config.js'
import { type Network, loopback } from '../../lib/networks.js'

/**
 * Those that the operator allows. A platform whose SIP is on the loopback, as in a trial, reaches nothing else, and one without
 * an edge sends nothing: there carriers may be on this machine.
 */
export function gatewayNetworks({
  sip_trunks: { allowed_networks: allowed },
  edge: { public_host: host, rpc_url: rpc },
}: Pick<Config, 'sip_trunks' | 'edge'>): readonly Network[] {
  const isTrial = host === '' ? rpc === '' : isIP(host) !== 0 && ipaddr.process(host).range() === 'loopback'
  return isTrial ? [...allowed, ...loopback] : allowed
}
