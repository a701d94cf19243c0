/** What a URL that a customer gives must look like, before anything is known of where it leads. */
import { isIP } from 'node:net'
import type { AddressPolicy } from './address-policy.js'

/** Longest URL that is kept or called. */
export const maxUrlLength = 2_048

/** The address that a URL names itself, without DNS; undefined when it names a host. */
function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) ? host : undefined
}

/**
 * The rule that a URL breaks, to follow "must", or undefined. Well-known ports other than those of
 * the web are refused: a request must not be made to speak to a mail or name server. Without a
 * policy nothing is said of an address that the URL names.
 */
export function brokenUrlRule(text: string, policy?: AddressPolicy): string | undefined {
  return brokenRule(text, /^https?:$/, 'be an http or https URL', policy)
}

/** As {@link brokenUrlRule}, of the URL of a WebSocket. */
export function brokenSocketUrlRule(text: string, policy?: AddressPolicy): string | undefined {
  return brokenRule(text, /^wss?:$/, 'be a ws or wss URL', policy)
}

function brokenRule(
  text: string,
  protocols: RegExp,
  kind: string,
  policy: AddressPolicy | undefined,
): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !protocols.test(url.protocol)) return kind
  if (text.length > maxUrlLength) return `have at most ${maxUrlLength} characters`
  if (url.username || url.password) return 'hold no credentials'
  const port = Number(url.port || 80)
  if (port !== 80 && port !== 443 && port < 1_024) return 'name port 80, 443, or one from 1024'
  const address = literalAddress(url)
  if (policy && address !== undefined && !policy.allows(address)) return 'lead to a public address'
  return undefined
}
