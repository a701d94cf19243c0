/** Writes FreeSWITCH dial strings. Everything that comes from outside passes through here, escaped. */

/** Where one leg goes. */
export interface DialTarget {
  /** User part of the request URI, for example `+12025550100`. */
  user: string
  /** Address or host name of the far end. */
  host: string
  /** Null where the host is a SIP domain of our own, which has no port. */
  port: number | null
  transport: 'udp' | 'tcp' | 'tls'
  /** The proxy that the INVITE passes through, `host:port`. */
  proxy: string
}

/** `sofia/edge/sip:…`, routed through the proxy by a loose Route header. */
export function sipEndpoint(target: DialTarget): string {
  if (!/^\+?[A-Za-z0-9._*#-]+$/.test(target.user)) throw new Error('not a SIP user')
  const host = target.host.includes(':') ? `[${target.host}]` : target.host
  const port = target.port === null ? '' : `:${target.port}`
  const transport = target.transport === 'udp' ? '' : `;transport=${target.transport}`
  const route = encodeURIComponent(`<sip:${target.proxy};lr>`)
  return `sofia/edge/sip:${target.user.replaceAll('#', '%23')}@${host}${port}${transport};fs_path=${route}`
}

/** Dial string of a leg whose INVITE goes to the leg answerer on this machine. */
export function appEndpoint(channelId: string, port: number): string {
  if (!/^[0-9a-f-]{36}$/.test(channelId)) throw new Error('not a channel id')
  return `sofia/edge/sip:${channelId}@127.0.0.1:${port};transport=tcp`
}

/** What a channel variable's value must not hold: the switch looks for these before it undoes any escape. */
const undialable = /[\p{Cc}{}]|:_:/u

/** Where a dial string is used: each reads it in another number of steps. */
export type DialStringUse = 'originate' | 'bridge'

/**
 * `{a=x,b=y}`, for `originate` on the Event Socket or for the application `bridge`. Values may hold any printable
 * text but braces.
 * @throws {Error} when a value holds what no escape can carry
 */
export function channelVariables(
  variables: Readonly<Record<string, string>>,
  use: DialStringUse = 'originate',
): string {
  const pairs = Object.entries(variables).map(([name, value]) => {
    if (!/^[A-Za-z0-9_-]+$/.test(name)) throw new Error(`not a channel variable: ${name}`)
    if (undialable.test(value)) throw new Error(`the value of ${name} cannot be dialled with`)
    return `${name}=${escapeOuter[use](escapePair(value))}`
  })
  return `{${pairs.join(',')}}`
}

/**
 * Of a `bridge` to several at once: `{common}[own]endpoint,[own]endpoint`.
 * @param variables of each endpoint; the values that differ are plain words
 * @throws {Error} as {@link channelVariables}
 */
export function forkedDialString(
  variables: readonly Readonly<Record<string, string>>[],
  endpoints: readonly string[],
): string {
  const [first = {}] = variables
  const isCommon = ([name, value]: [string, string]) => variables.every((all) => all[name] === value)
  const common = Object.fromEntries(Object.entries(first).filter(isCommon))
  const forks = endpoints.map((endpoint, index) => {
    const own = Object.entries(variables[index] ?? {}).filter((pair) => !isCommon(pair))
    for (const [name, value] of own)
      if (!/^[A-Za-z0-9_.:-]*$/.test(value)) throw new Error(`${name} differs and is no plain word`)
    return `[${own.map(([name, value]) => `${name}=${value}`).join(',')}]${endpoint}`
  })
  return `${channelVariables(common, 'bridge')}${forks.join(',')}`
}

/** Text that people wrote, made harmless: the switch expands `$`, and quotes would end the header. */
export function displayText(text: string): string {
  return text
    .replace(/"/g, '”')
    .replace(/[\p{Cc}\\{}[\]$<>^|]|:_:/gu, ' ')
    .trim()
}

/** A name as FreeSWITCH shows it: it decodes percent signs once more (mod_sofia, `check_decode`). */
export function dialledName(text: string): string {
  return displayText(text).replace(/%/g, '%25')
}

/**
 * The switch takes the text apart at commas and then at the equals sign, and each time undoes one level of
 * backslashes (switch_utils.c, cleanup_separated_string).
 */
function escapePair(value: string): string {
  const atEqualsSign = value.replace(/[\\']/g, '\\$&')
  return atEqualsSign.replace(/[\\',]/g, '\\$&')
}

/**
 * What the switch does before that: `originate` is taken apart at spaces, in the same way; the argument of an
 * application has its variables expanded, which undoes backslashes before backslashes and dollar signs alone
 * (switch_channel.c, switch_channel_expand_variables_check).
 */
const escapeOuter: Readonly<Record<DialStringUse, (text: string) => string>> = {
  originate: (text) => text.replace(/[\\']/g, '\\$&').replace(/ /g, '\\s'),
  bridge: (text) => text.replace(/[\\$]/g, '\\$&'),
}
