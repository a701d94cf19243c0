/** Takes the argument of `originate` apart as FreeSWITCH does. */
import { closingBracket, separate } from './words.js'

/** One dialplan application with its argument. */
export interface ApplicationCall {
  name: string
  argument: string
}

/** Where a leg goes: `sofia/edge/sip:+1202…@host:port;transport=…`. */
export interface SipTarget {
  /** As dialled, with its plus sign. */
  user: string
  host: string
  port: number
  /** The whole URI after `sofia/<profile>/`, parameters included. */
  uri: string
}

export interface Originate {
  variables: Map<string, string>
  endpoint: string
  program: ApplicationCall[]
  /** Seconds, from the seventh argument. */
  timeout: number | undefined
}

/**
 * @returns undefined where FreeSWITCH prints its usage
 * @throws {Error} its message is the hang-up cause that FreeSWITCH would answer
 */
export function parseOriginate(text: string): Originate | undefined {
  const words = separate(text.trim(), ' ', 10)
  const [url, destination] = words
  if (url === undefined || destination === undefined || words.length > 7) return undefined
  const variables = new Map<string, string>()
  let endpoint = url
  for (const [open, close] of [
    ['<', '>'],
    ['{', '}'],
    ['[', ']'],
  ] as const) {
    while (endpoint.startsWith(open)) {
      const end = closingBracket(endpoint, open, close)
      if (end < 0) throw new Error('DESTINATION_OUT_OF_ORDER')
      // Text within the brackets of one leg ends at the first comma unless escaped: the commas between legs
      // are looked for first. One leg is all that is simulated, so both brackets are read alike.
      for (const [name, value] of assignments(endpoint.slice(1, end))) variables.set(name, value)
      endpoint = endpoint.slice(end + 1).replace(/^ +/, '')
    }
  }
  const timeout = Number(words[6])
  return {
    variables,
    endpoint,
    program: parseScript(destination, words[2] ?? ''),
    timeout: timeout > 0 ? timeout : undefined,
  }
}

/** `a=x,b=y`, or with another delimiter `^^:a=x:b=y`. */
export function assignments(text: string): [string, string][] {
  const own = text.startsWith('^^') && text.length > 2
  const delimiter = own ? text.charAt(2) : ','
  return separate(own ? text.slice(3) : text, delimiter).flatMap((pair): [string, string][] => {
    const [name, value] = separate(pair, '=', 2)
    return name && value ? [[name, value]] : []
  })
}

/** `&park()`, or `park inline`, or `playback:/tmp/a.wav,park inline`; any other extension just parks. */
export function parseScript(destination: string, dialplan: string): ApplicationCall[] {
  if (destination.startsWith('&')) {
    const inside = /^&([^(]*)(?:\((.*)\)?)?$/s.exec(destination)
    return [{ name: inside?.[1] ?? '', argument: (inside?.[2] ?? '').replace(/\)$/, '') }]
  }
  if (dialplan.toLowerCase() !== 'inline') return [{ name: 'park', argument: '' }]
  return separate(destination, ',').map((step) => {
    const [name = '', argument = ''] = separate(step, ':', 2)
    return { name, argument }
  })
}

/**
 * @throws {Error} its message is the hang-up cause that FreeSWITCH would answer
 */
export function parseEndpoint(endpoint: string): SipTarget {
  const [kind = '', profile = '', ...rest] = endpoint.split('/')
  if (kind === 'error') throw new Error(/^[A-Z0-9_]+$/.test(profile) ? profile : 'NORMAL_CLEARING')
  if (kind !== 'sofia') throw new Error('CHAN_NOT_IMPLEMENTED')
  if (profile !== 'edge') throw new Error('INVALID_PROFILE')
  const uri = rest.join('/').replace(/^sips?:/, '')
  const found = /^([^@;]+)@(\[[^\]]+\]|[^:;]+)(?::(\d{1,5}))?(?:;.*)?$/.exec(uri)
  if (!found) throw new Error('INVALID_URL')
  const [, user = '', host = '', port] = found
  return { user: user.replace(/^%2B/i, '+'), host: host.toLowerCase(), port: Number(port ?? 5060), uri }
}
