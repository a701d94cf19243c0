/** Whether the addresses advertised to peers are reachable for them, and whether we have the listen addresses. */
import { BlockList, isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { environmentName } from '../settings.mjs'
import { ill, unknown, well } from './finding.mjs'

/** @typedef {import('./finding.mjs').Finding} Finding */

/** RFC 1918, 3927, 4193, 6598: reachable only within their own network. */
const PRIVATE = blocks([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  'fc00::/7',
  'fe80::/10',
])
const LOOPBACK = blocks(['127.0.0.0/8', '::1/128'])

/** @param {string[]} networks */
function blocks(networks) {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

/** @param {string} address @returns {'ipv4' | 'ipv6'} */
function familyOf(address) {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

/**
 * @param {import('../settings.mjs').Settings} settings
 * @param {string[]} [own] addresses of this machine
 * @returns {Finding[]}
 */
export function checkNat(settings, own = ownAddresses()) {
  return [
    checkPair(
      'SIP',
      { advertised: settings['sip.host'], bound: settings['sip.listen_host'], setting: 'sip.host' },
      own,
    ),
    checkPair(
      'audio',
      { advertised: settings['rtp.host'], bound: settings['rtp.listen_host'], setting: 'rtp.host' },
      own,
    ),
  ]
}

/**
 * @param {string} what
 * @param {{advertised: string, bound: string, setting: string}} addresses
 * @param {string[]} own
 * @returns {Finding}
 */
function checkPair(what, { advertised, bound, setting }, own) {
  const variable = environmentName(setting)
  const listen = environmentName(setting.replace('host', 'listen_host'))
  if (isIP(bound) && !LOOPBACK.check(bound, familyOf(bound)) && !own.includes(bound))
    return ill(
      `${what} listens on ${bound}, which is not this machine’s`,
      `set ${listen} to one of ${own.join(', ') || 'its addresses'}: ${variable} may be a router’s`,
    )
  if (LOOPBACK.check(advertised, familyOf(advertised)))
    return unknown(
      `${what} is advertised as ${advertised}, which only this machine reaches`,
      `set ${variable}`,
    )
  if (PRIVATE.check(advertised, familyOf(advertised)))
    return ill(
      `${what} is advertised as ${advertised}, which is unreachable outside of its own network`,
      `set ${variable} to the address that the world sees, unless all peers are within that network`,
    )
  return well(
    advertised === bound
      ? `${what} is at ${advertised}`
      : `${what} is at ${advertised}, which a router forwards to ${bound}`,
  )
}

/** @returns {string[]} */
function ownAddresses() {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => address)
}
