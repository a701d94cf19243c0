/** Who forwarded a call before: the Diversion (RFC 5806) and History-Info (RFC 7044) headers, inbound and outbound. */

import { anonymous } from '../../../adapters/freeswitch/caller-variables.js'

/** One party that forwarded the call. */
export interface Diversion {
  /** E.164 if it can be normalised, else as received; null: withheld. */
  number: string | null
  /** Reason, in the words of RFC 5806. */
  reason: string
}

/** At most this many are stored for one call. */
export const mostDiversions = 5

/** Far longer than {@link mostDiversions} entries need. */
const longestHeader = 4_000

/** Reasons, and the equivalent causes of RFC 4458 (RFC 7544 section 4.2.1). */
const causes: Readonly<Record<string, number>> = {
  ...{ unconditional: 302, 'user-busy': 486, 'no-answer': 408, deflection: 480 },
  ...{ unavailable: 503, 'time-of-day': 404, 'do-not-disturb': 404, 'follow-me': 404, 'out-of-service': 404 },
  ...{ away: 404, unknown: 404 },
}

interface Entry {
  uri: string
  user: string
  params: string
}

/** The comma-separated entries of a header; those without an address are skipped. */
function entriesOf(header: string): Entry[] {
  const entries = header.slice(0, longestHeader).match(/(?:"(?:[^"\\]|\\.)*"|<[^<>]*>|[^",<])+/g) ?? []
  return entries.flatMap((entry) => {
    const text = entry.replace(/^\s*"(?:[^"\\]|\\.)*"/s, '')
    const [, uri = '', params = ''] = /<([^<>]*)>(.*)$/s.exec(text) ?? /^\s*([^\s;]+)(.*)$/s.exec(text) ?? []
    const [, encoded] = /^(?:sips?|tel):([^@;?:<>\s]+)/i.exec(uri) ?? []
    return encoded === undefined ? [] : [{ uri, user: decoded(encoded), params: params.toLowerCase() }]
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isAnonymous({ user, uri }: Entry): boolean {
  return (
    /^(anonymous|private|restricted|unavailable|unknown|withheld)$/i.test(user) ||
    /@anonymous\.invalid/i.test(uri)
  )
}

/**
 * The parties that forwarded a call, latest first.
 * @param heads the headers; History-Info is used only without a Diversion
 * @param called our number: its own entry is skipped
 * @param read normalises a user part to a number
 */
export function diversionsOf(
  { diversion = '', history = '' }: { diversion?: string | undefined; history?: string | undefined },
  called: string,
  read: (user: string) => string,
): Diversion[] {
  const given = entriesOf(diversion)
  const found = given.length > 0 ? given.map(ofDiversion) : ofHistory(entriesOf(history))
  return found
    .map(({ user, reason }) => ({ number: user === null ? null : read(user), reason }))
    .filter(({ number }) => number !== called && number !== '')
    .slice(0, mostDiversions)
}

function ofDiversion(entry: Entry): { user: string | null; reason: string } {
  const [, privacy = 'off'] = /;\s*privacy\s*=\s*"?([a-z]+)/.exec(entry.params) ?? []
  const [, reason = 'unknown'] = /;\s*reason\s*=\s*"?([a-z-]+)/.exec(entry.params) ?? []
  const isWithheld = privacy !== 'off' || isAnonymous(entry)
  return { user: isWithheld ? null : entry.user, reason: reason in causes ? reason : 'unknown' }
}

/** All but the last entry, which is where the call went; the cause of each is in the next one. */
function ofHistory(entries: readonly Entry[]): { user: string | null; reason: string }[] {
  return entries
    .slice(0, -1)
    .map((entry, index) => {
      const [, cause] = /[;?&]cause(?:=|%3d)(\d{3})/i.exec(entries[index + 1]?.uri ?? '') ?? []
      const [reason = 'unknown'] = Object.entries(causes).find(([, code]) => code === Number(cause)) ?? []
      const isWithheld = /privacy=(history|header|session|id|user)/i.test(entry.uri) || isAnonymous(entry)
      return { user: isWithheld ? null : entry.user, reason: cause === '404' ? 'unknown' : reason }
    })
    .reverse()
}

/** Who forwarded the call last: `anonymous` if withheld; null if no one did. */
export function forwardedFrom(diversions: readonly Diversion[] | null): string | null {
  const [latest] = diversions ?? []
  return latest ? (latest.number ?? anonymous) : null
}

/** `write`: number format of the carrier. `domain`: as written in a URI. */
interface Written {
  write: (number: string) => string
  domain: string
}

const anonymousUri = 'sip:anonymous@anonymous.invalid'

/** Keeps the characters of a number that are valid in a URI. */
function uriOf({ number }: Diversion, { write, domain }: Written): string {
  const user = number === null ? '' : write(number).replace(/[^0-9A-Za-z+._*-]/g, '')
  return user === '' ? anonymousUri : `sip:${user}@${domain}`
}

/** @param diversions latest first */
export function diversionHeader(diversions: readonly Diversion[], written: Written): string {
  return diversions
    .map((one) => {
      const privacy = one.number === null ? ';privacy=full' : ''
      return `<${uriOf(one, written)}>;reason=${one.reason};counter=1${privacy}`
    })
    .join(', ')
}

/**
 * @param diversions latest first
 * @param target where the call goes now, as written in a URI
 */
export function historyHeader(diversions: readonly Diversion[], target: string, written: Written): string {
  const past = [...diversions].reverse()
  const entries = past.map((one, index) => {
    const cause = index === 0 ? '' : causeOf(past[index - 1])
    const privacy = one.number === null ? '?Privacy=history' : ''
    return `<${uriOf(one, written)}${cause}${privacy}>`
  })
  entries.push(`<sip:${target}@${written.domain}${causeOf(past.at(-1))}>`)
  return entries
    .map(
      (entry, index) =>
        `${entry};index=${Array(index + 1)
          .fill('1')
          .join('.')}`,
    )
    .join(', ')
}

function causeOf(before: Diversion | undefined): string {
  return before ? `;cause=${causes[before.reason] ?? 404}` : ''
}
