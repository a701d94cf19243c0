/** SIP URIs outside of the workspace. */
import { isIP } from 'node:net'
import { type SipHost, type SipTransport, lowestPort } from '../http-client/sip-servers.js'
import { dialledNumber, internationalNumber } from '../phone-numbers/e164.js'

/** `sip:user@host`, taken apart. */
export interface SipUri extends SipHost {
  user: string
}

const form =
  /^sip:(\+?[A-Za-z0-9._-]{1,64})@(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9.-]{1,190})(?::(\d{1,5}))?(?:;transport=(udp|tcp|tls))?$/i

const hostName = /^(?=.{1,190}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/

/** Reads `sip:user@host[:port][;transport=udp|tcp|tls]`; null for anything else. */
export function parseSipUri(text: string): SipUri | null {
  const [, user, written = '', digits, transport] = form.exec(text) ?? []
  const host = written.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  const port = digits === undefined ? null : Number(digits)
  if (user === undefined || (isIP(host) === 0 && (!hostName.test(host) || /^[\d.]+$/.test(host)))) return null
  if (port !== null && (port < lowestPort || port > 65_535)) return null
  const isForDns = port === null && isIP(host) === 0
  const named = transport?.toLowerCase() as SipTransport | undefined
  return { user, host, port, transport: named ?? (isForDns ? null : 'udp') }
}

/** `user@host`, as people name it. */
export function addressOf({ user, host }: SipUri): string {
  return `${user}@${host}`
}

/** Before a number of another country, in countries that do not write +; the last is one within a country. */
const dialPrefixes = ['00', '011', '0']

/** What people write between digits counts for nothing (RFC 3966, section 3). */
function digitsOf(user: string): string | null {
  const plain = user.replace(/[._-]/g, '')
  return /^\+?\d+$/.test(plain) ? plain : null
}

/** Whether the user part of a URI is a number too short for the telephone network: a service of a carrier, or a PBX's. */
export function isShortNumber(user: string): boolean {
  const digits = digitsOf(user)
  return digits !== null && digits.replace('+', '').length < 7
}

/**
 * The telephone numbers that a carrier's host may take the user part of a URI for, as digits of E.164; none where it is
 * a name. Carriers understand what is dialled in several ways, and mend what is wrong with it: of these the strictest and
 * the dearest holds.
 * @param country whose people may have dialled so; null when nobody knows
 */
export function numbersOf(user: string, country: string | null): string[] {
  const written = digitsOf(user)
  const plain = written?.replace('+', '') ?? ''
  if (written === null || plain.length < 7) return []
  const shorter = dialPrefixes
    .filter((prefix) => plain.startsWith(prefix))
    .map((prefix) => plain.slice(prefix.length))
  const asDialled = [plain, ...shorter]
  const mended = asDialled.map((digits) => internationalNumber(digits)?.digits)
  const national =
    country !== null && !written.startsWith('+') ? dialledNumber(plain, country)?.digits : undefined
  return [...new Set([...asDialled, ...mended, national].filter((digits) => digits !== undefined))]
}
