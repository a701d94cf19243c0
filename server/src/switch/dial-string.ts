/** Writes FreeSWITCH dial strings. Everything that comes from outside passes through here, escaped. */

/** Where one leg goes. */
export interface DialTarget {
  /** As it stands in the request URI, for example `+12025550100`. */
  user: string
  /** Address or host name of the far end. */
  host: string
  port: number
  transport: 'udp' | 'tcp' | 'tls'
  /** The proxy that the INVITE passes through, `host:port`. */
  proxy: string
}

/** `sofia/edge/sip:…`, routed through the proxy by a loose Route header. */
export function sipEndpoint(target: DialTarget): string {
  if (!/^\+?[A-Za-z0-9._-]+$/.test(target.user)) throw new Error('not a SIP user')
  const host = target.host.includes(':') ? `[${target.host}]` : target.host
  const transport = target.transport === 'udp' ? '' : `;transport=${target.transport}`
  const route = encodeURIComponent(`<sip:${target.proxy};lr>`)
  return `sofia/edge/sip:${target.user}@${host}:${target.port}${transport};fs_path=${route}`
}

/** What a channel variable's value must not hold: the switch looks for these before it undoes any escape. */
export const undialable = /[\p{Cc}{}]|:_:/u

/**
 * `{a=x,b=y}`, for `originate` on the Event Socket. Values may hold any printable text but braces.
 * @throws {Error} when a value holds what no escape can carry
 */
export function channelVariables(variables: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(variables).map(([name, value]) => {
    if (!/^[A-Za-z0-9_-]+$/.test(name)) throw new Error(`not a channel variable: ${name}`)
    return `${name}=${escapeValue(name, value)}`
  })
  return `{${pairs.join(',')}}`
}

/** Text that people wrote, made harmless: the switch expands `$`, and quotes would end the header. */
export function displayText(text: string): string {
  return text
    .replace(/"/g, '”')
    .replace(/[\p{Cc}\\{}[\]$<>^|]|:_:/gu, ' ')
    .trim()
}

/**
 * The switch takes the text apart three times, at spaces, at commas and at the equals sign, and each
 * time undoes one level of backslashes (switch_utils.c, cleanup_separated_string).
 */
function escapeValue(name: string, value: string): string {
  if (undialable.test(value)) throw new Error(`the value of ${name} cannot be dialled with`)
  const atEqualsSign = value.replace(/[\\']/g, '\\$&')
  const atCommas = atEqualsSign.replace(/[\\',]/g, '\\$&')
  return atCommas.replace(/[\\']/g, '\\$&').replace(/ /g, '\\s')
}
