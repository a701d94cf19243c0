/** Who forwarded a call before: Diversion (RFC 5806) and History-Info (RFC 7044), as they come in and as they go out. */

import { anonymous } from '../switch/caller-variables.js'

/** Somebody whose calls went on to somebody else. */
export interface Diversion {
  /** In E.164 where that can be told, else as it came; null: withheld. */
  number: string | null
  /** Why, by the words of RFC 5806. */
  reason: string
}

/** More of one call are not kept. */
export const mostDiversions = 5

/** Far more than so many need. */
const longestHeader = 4_000

/** Their words, and the causes of RFC 4458 that say the same (RFC 7544 section 4.2.1). */
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

/** The entries of a header with commas between them; those that are no address are left out. */
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
 * Those who forwarded a call, the latest first.
 * @param heads what the carrier said; History-Info counts where there is no Diversion
 * @param called our number: its own entry is none
 * @param read makes a number of a user part
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

/** All but the last one, which is where the call went; the cause of each stands at the next. */
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

/** Who forwarded a call last: `anonymous` where that is withheld; null: nobody. */
export function forwardedFrom(diversions: readonly Diversion[] | null): string | null {
  const [latest] = diversions ?? []
  return latest ? (latest.number ?? anonymous) : null
}

/** `write`: how the carrier wants numbers. `domain`: as it stands in a URI. */
interface Written {
  write: (number: string) => string
  domain: string
}

const anonymousUri = 'sip:anonymous@anonymous.invalid'

/** What of a number can stand in a URI. */
function uriOf({ number }: Diversion, { write, domain }: Written): string {
  const user = number === null ? '' : write(number).replace(/[^0-9A-Za-z+._*-]/g, '')
  return user === '' ? anonymousUri : `sip:${user}@${domain}`
}

/** @param diversions the latest first */
export function diversionHeader(diversions: readonly Diversion[], written: Written): string {
  return diversions
    .map((one) => {
      const privacy = one.number === null ? ';privacy=full' : ''
      return `<${uriOf(one, written)}>;reason=${one.reason};counter=1${privacy}`
    })
    .join(', ')
}

/** @param diversions the latest first @param target whom the call goes to now, as it stands in a URI */
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
