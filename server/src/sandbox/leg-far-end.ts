/**
 * The far end of a leg that goes to the server itself, for an app or for raw audio: the SIP of FreeSWITCH over TCP,
 * with an offer that looks like its own.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { type Socket, connect } from 'node:net'
import type { SipTarget } from './dial-string.js'
import type { FarEndStep } from './far-ends.js'

/** What is offered with a leg, and what the answer leads to. */
export interface LegMedia {
  /** The SDP to offer. */
  offer(): Promise<string>
  /** @param sdp of the answer */
  answered(sdp: string): void
  close(): void
}

/** A server that sends nothing for this time after the connection, in milliseconds, does not answer such legs. */
const TRYING_MS = 5000
const MAX_ANSWER = 100_000

export class LegFarEnd {
  #socket: Socket | undefined
  #received = ''
  #timer: NodeJS.Timeout | undefined
  #state: 'calling' | 'up' | 'over' = 'calling'
  #toTag = ''
  readonly #callId = randomUUID()
  readonly #branch = `z9hG4bK${randomBytes(8).toString('hex')}`
  readonly #fromTag = randomBytes(6).toString('hex')

  constructor(
    private readonly uuid: string,
    private readonly target: SipTarget,
    private readonly media: LegMedia,
    private readonly does: (step: FarEndStep) => void,
  ) {}

  /** Sends the INVITE. */
  call(): void {
    this.media
      .offer()
      .then((sdp) => this.#call(sdp))
      .catch(() => this.#refused(503, 'Service Unavailable'))
  }

  #call(sdp: string): void {
    if (this.#state !== 'calling') return
    const socket = connect({ host: this.target.host, port: this.target.port })
    this.#socket = socket
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => this.#receive(chunk))
    socket.on('error', () => undefined)
    // As FreeSWITCH says of a server that is down.
    socket.on('close', () => this.#refused(503, 'Service Unavailable'))
    this.#timer = setTimeout(() => socket.destroy(), TRYING_MS)
    this.#send('INVITE', this.#branch, 1, sdp)
  }

  /** The switch hangs up: BYE, or CANCEL before the answer. */
  end(): void {
    if (this.#state === 'up') this.#send('BYE', `z9hG4bK${randomBytes(8).toString('hex')}`, 2)
    else if (this.#state === 'calling') this.#send('CANCEL', this.#branch, 1)
    this.#over()
    this.#socket?.end()
  }

  abandon(): void {
    this.#over()
    this.#socket?.destroy()
  }

  #over(): void {
    this.#state = 'over'
    clearTimeout(this.#timer)
    this.media.close()
  }

  #receive(chunk: string): void {
    this.#received += chunk
    if (this.#received.length > MAX_ANSWER) this.#socket?.destroy()
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = this.#received.slice(0, end)
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
      if (this.#received.length < end + 4 + length) return
      const body = this.#received.slice(end + 4, end + 4 + length)
      this.#received = this.#received.slice(end + 4 + length)
      this.#take(head, body)
    }
  }

  #take(head: string, body: string): void {
    const [, code = '', phrase = ''] = /^SIP\/2\.0 (\d{3}) ([^\r]*)/.exec(head) ?? []
    if (!/^cseq: *1 INVITE/im.test(head) || this.#state !== 'calling') return
    const status = Number(code)
    clearTimeout(this.#timer)
    if (status === 180) this.does({ after: 0, does: 'ring' })
    if (status < 200) return
    this.#toTag = /^to:.*;tag=([^;>\s]+)/im.exec(head)?.[1] ?? ''
    const acknowledged = status < 300 ? `z9hG4bK${randomBytes(8).toString('hex')}` : this.#branch
    this.#send('ACK', acknowledged, 1)
    if (status >= 300) {
      this.#refused(status, phrase)
      return
    }
    this.#state = 'up'
    this.media.answered(body)
    this.does({ after: 0, does: 'answer' })
  }

  #refused(status: number, phrase: string): void {
    if (this.#state !== 'calling') return
    this.#over()
    this.#socket?.end()
    this.does({ after: 0, does: 'refuse', status, phrase })
  }

  #send(method: string, branch: string, cseq: number, sdp = ''): void {
    const uri = `sip:${this.target.uri}`
    this.#socket?.write(
      [
        `${method} ${uri} SIP/2.0`,
        `Via: SIP/2.0/TCP 127.0.0.1;branch=${branch};rport`,
        'Max-Forwards: 70',
        `From: <sip:sandbox@127.0.0.1>;tag=${this.#fromTag}`,
        `To: <${uri}>${this.#toTag && `;tag=${this.#toTag}`}`,
        `Call-ID: ${this.#callId}`,
        `CSeq: ${cseq} ${method}`,
        `Contact: <sip:${this.uuid}@127.0.0.1>`,
        ...(sdp ? ['Content-Type: application/sdp'] : []),
        `Content-Length: ${sdp.length}`,
        '',
        sdp,
      ].join('\r\n'),
    )
  }
}
