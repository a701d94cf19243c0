/** SIP messages on a TCP connection (RFC 3261, sections 7 and 18.3), as far as answering requests needs. */
import { createHash } from 'node:crypto'

/** One request. */
export interface SipRequest {
  readonly method: string
  readonly uri: string
  readonly body: string
  /** The first header of a name, in lower case; '' when there is none. */
  header(name: string): string
  /** All headers of a name, in lower case, in order. */
  headers(name: string): readonly string[]
}

/** What comes is no SIP, or more than is read. */
export class SipStreamError extends Error {}

const maxHeadBytes = 32_000
const maxBodyBytes = 64_000

/** Header names of one letter (RFC 3261, section 7.3.3). */
const shortNames: Readonly<Record<string, string>> = {
  v: 'via',
  f: 'from',
  t: 'to',
  i: 'call-id',
  l: 'content-length',
  c: 'content-type',
  m: 'contact',
}

const endOfHead = Buffer.from('\r\n\r\n')

/** Takes a stream apart into messages. Holds no more than one message and what one read brought behind it. */
export class SipStream {
  private rest: Buffer = Buffer.alloc(0)

  /**
   * @returns the requests that are complete; responses are skipped, as nothing here sends requests
   * @throws {SipStreamError} when the connection cannot be used any more
   */
  read(chunk: Buffer): SipRequest[] {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk])
    const requests: SipRequest[] = []
    for (;;) {
      const start = this.rest.findIndex((byte) => byte !== 13 && byte !== 10)
      this.rest = start < 0 ? Buffer.alloc(0) : this.rest.subarray(start)
      const end = this.rest.indexOf(endOfHead)
      if (end > maxHeadBytes || (end < 0 && this.rest.length > maxHeadBytes)) {
        throw new SipStreamError('a head without an end')
      }
      if (end < 0) return requests
      const head = readHead(this.rest.subarray(0, end).toString('utf8'))
      const length = bodyLength(head.headers)
      const whole = end + endOfHead.length + length
      if (this.rest.length < whole) return requests
      const body = this.rest.subarray(whole - length, whole).toString('utf8')
      this.rest = this.rest.subarray(whole)
      if (head.method) requests.push(requestOf(head, body))
    }
  }
}

interface Head {
  /** '' of an answer. */
  method: string
  uri: string
  headers: Map<string, string[]>
}

function readHead(text: string): Head {
  const [first = '', ...lines] = text.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const request = /^([A-Z]{1,20}) (\S+) SIP\/2\.0$/.exec(first)
  if (!request && !first.startsWith('SIP/2.0 ')) throw new SipStreamError('not SIP')
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const [, written = '', value = ''] = /^([A-Za-z0-9.!%*_+`'~-]+)[ \t]*:[ \t]*(.*)$/.exec(line) ?? []
    if (!written) throw new SipStreamError('a line that is no header')
    const lower = written.toLowerCase()
    const name = shortNames[lower] ?? lower
    headers.set(name, [...(headers.get(name) ?? []), value.trimEnd()])
  }
  return { method: request?.[1] ?? '', uri: request?.[2] ?? '', headers }
}

/** TCP needs Content-Length to separate messages (RFC 3261, section 18.3): it must be there. */
function bodyLength(headers: Head['headers']): number {
  const given = headers.get('content-length') ?? []
  const length = Number(given[0])
  if (given.length !== 1 || !/^\d{1,9}$/.test(given[0] ?? '') || length > maxBodyBytes) {
    throw new SipStreamError('no length that is read')
  }
  return length
}

function requestOf({ method, uri, headers }: Head, body: string): SipRequest {
  return {
    method,
    uri,
    body,
    header: (name) => headers.get(name)?.[0] ?? '',
    headers: (name) => headers.get(name) ?? [],
  }
}

/** Reason phrases of the statuses that we answer (RFC 3261, section 21). */
const phrases: Readonly<Record<number, string>> = {
  100: 'Trying',
  180: 'Ringing',
  200: 'OK',
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  486: 'Busy Here',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  491: 'Request Pending',
  503: 'Service Unavailable',
  603: 'Decline',
}

/** Writes the answer to a request. @param more further headers, a line each */
export function sipAnswer(
  request: SipRequest,
  status: number,
  more: readonly string[] = [],
  sdp = '',
): string {
  const to = request.header('to')
  // The tag is derived from the Call-ID, so that all answers of a dialog have the same one without stored state.
  const tag = createHash('sha256').update(request.header('call-id')).digest('hex').slice(0, 16)
  const tagged = status === 100 || /;\s*tag=/i.test(to) ? to : `${to};tag=${tag}`
  return [
    `SIP/2.0 ${status} ${phrases[status] ?? 'Refused'}`,
    ...request.headers('via').map((via) => `Via: ${via}`),
    ...request.headers('record-route').map((route) => `Record-Route: ${route}`),
    `From: ${request.header('from')}`,
    `To: ${tagged}`,
    `Call-ID: ${request.header('call-id')}`,
    `CSeq: ${request.header('cseq')}`,
    ...more,
    ...(sdp ? ['Content-Type: application/sdp'] : []),
    `Content-Length: ${Buffer.byteLength(sdp)}`,
    '',
    sdp,
  ].join('\r\n')
}
