/** SIP messages as tests look at them. */
import { createHash } from 'node:crypto'

export interface SipMessage {
  /** When it was sent or received, milliseconds since 1970. */
  at: number
  direction: 'sent' | 'received'
  /** `INVITE`, `BYE` …; of an answer, the method it answers. */
  method: string
  /** Of an answer: 100 to 699. Of a request: 0. */
  status: number
  callId: string
  text: string
}

/** The first header of a name, without regard to case; undefined when there is none. */
export function header(message: { text: string }, name: string): string | undefined {
  return headers(message, name)[0]
}

/** All headers of a name, in order. */
export function headers({ text }: { text: string }, name: string): string[] {
  const [head = ''] = text.split(/\r?\n\r?\n/, 1)
  const wanted = `${name.toLowerCase()}:`
  return head
    .split(/\r?\n/)
    .filter((line) => line.toLowerCase().startsWith(wanted))
    .map((line) => line.slice(wanted.length).trim())
}

/** Entries of a SIPp message trace, taken apart; what is not (yet) a whole message is left out. */
export function parseTrace(trace: string): SipMessage[] {
  return trace
    .split(/^-{20,} (?=\d{4}-)/m)
    .slice(1)
    .flatMap((entry) => {
      const match = /^(\S+ \S+?)\r?\n\w+ message (sent|received)[^\n]*\n\s*\n?([\s\S]*)$/.exec(entry)
      if (!match) return []
      const [, at = '', direction, text = ''] = match
      const first = text.trimStart()
      const body = first
        .split(/\r?\n\r?\n/)
        .slice(1)
        .join('\r\n\r\n')
      if (body.length < Number(header({ text: first }, 'Content-Length') ?? 0) - 2) return []
      const status = Number(/^SIP\/2\.0 (\d{3})/.exec(first)?.[1] ?? 0)
      return {
        at: Date.parse(at.replace(' ', 'T')),
        direction: direction === 'sent' ? ('sent' as const) : ('received' as const),
        method: /^\d+ (\w+)/.exec(header({ text: first }, 'CSeq') ?? '')?.[1] ?? '',
        status,
        callId: header({ text: first }, 'Call-ID') ?? '',
        text: first,
      }
    })
}

/** Where a message's SDP wants audio sent. */
export function mediaAddress({ text }: { text: string }): { host: string; port: number } | undefined {
  const host = /^c=IN IP4 (\S+)/m.exec(text)?.[1]
  const port = Number(/^m=audio (\d+)/m.exec(text)?.[1])
  return host && port ? { host, port } : undefined
}

/** Whether the digest in an Authorization header was made with this password (RFC 2617, MD5, qop auth or none). */
export function digestIsRight(authorization: string, method: string, password: string): boolean {
  const field = (name: string): string =>
    new RegExp(`(?:^|[\\s,])${name}="?([^",]*)"?`, 'i').exec(authorization)?.[1] ?? ''
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
  const user = md5(`${field('username')}:${field('realm')}:${password}`)
  const request = md5(`${method}:${field('uri')}`)
  const middle = field('qop')
    ? `${field('nonce')}:${field('nc')}:${field('cnonce')}:${field('qop')}`
    : field('nonce')
  return field('response') === md5(`${user}:${middle}:${request}`)
}
