/** SIP URIs outside the workspace. */
import { isIP } from 'node:net'
import {
  type SipHost,
  type SipTransport,
  lowestPort,
} from '../../../infrastructure/http-client/sip-servers.js'
import { dialledNumber, internationalNumber } from '../../../lib/numbering/e164.js'

/** The parts of `sip:user@host`. */
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

/** `user@host`, for display. */
export function addressOf({ user, host }: SipUri): string {
  return `${user}@${host}`
}

/** International prefixes of countries that do not dial +; the last is a national prefix. */
const dialPrefixes = ['00', '011', '0']

/** Visual separators are ignored (RFC 3966, section 3). */
function digitsOf(user: string): string | null {
  const plain = user.replace(/[._-]/g, '')
  return /^\+?\d+$/.test(plain) ? plain : null
}

/** True if the user part of a URI is too short for a telephone number: a service of a carrier or of a PBX. */
export function isShortNumber(user: string): boolean {
  const digits = digitsOf(user)
  return digits !== null && digits.replace('+', '').length < 7
}

/**
 * All E.164 numbers, as digits, that a carrier's host might read the user part of a URI as; none if it is a name.
 * Carriers interpret and normalise dialled digits in several ways: the strictest block and the highest rate apply.
 * @param country whose dialling rules may apply; null if unknown
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
