/**
 * Hears from Kamailio which addresses began or ceased to be registered, and which phones hand their calls over
 * (kamailio-conf/roles/events.cfg, refer.cfg): netstrings over TCP. What happened while the connection was away is not
 * told: {@link EdgeEvents} says when it is there again.
 */
import { createHmac } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { type Socket, connect } from 'node:net'
import type { Logger } from 'pino'

const retryMs = 1_000

/** Kamailio answers a connection within this. */
const connectMs = 5_000

/** What the longest address needs, and far more than an honest peer has unread. */
const maxBuffered = 65_536

/** A phone's REFER. */
export interface Referral {
  /** Of the phone's call. */
  sipCallId: string
  cseq: number
  /** The user part of the SIP URI that is to be called: letters, digits and `_.+*#-`. */
  to: string
  /** Accepts it (202), or declines (603); within 5 seconds. Who does not have the call says nothing. */
  answer(accepted: boolean): void
}

interface EdgeEventsEvents {
  /** An address has its first phone, or has one less. */
  registration: [username: string, domain: string]
  referral: [referral: Referral]
  /** A connection is there: what happened before was not told. */
  connected: []
}

export class EdgeEvents extends EventEmitter<EdgeEventsEvents> {
  private readonly key: string
  private readonly sockets = new Map<string, Socket>()
  private readonly timers = new Map<string, NodeJS.Timeout>()
  private stopped = false

  constructor(
    /** `host:port` of each edge; none where there is no edge that tells. */
    private readonly addresses: readonly string[],
    /** The edges’ RPC secret. */
    secret: string,
    private readonly log: Logger,
  ) {
    super()
    // As the installer derives it (kamailio-config.mjs).
    this.key = createHmac('sha256', secret).update('events').digest('hex')
  }

  start(): void {
    for (const address of this.addresses) this.connect(address)
  }

  stop(): void {
    this.stopped = true
    for (const timer of this.timers.values()) clearTimeout(timer)
    for (const socket of this.sockets.values()) socket.destroy()
  }

  private connect(address: string): void {
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(address) ?? []
    const socket = connect({
      host: host.replace(/^\[|\]$/g, ''),
      port: Number(port),
      noDelay: true,
      keepAlive: true,
    })
    this.sockets.set(address, socket)
    let text = ''
    const deadline = setTimeout(() => socket.destroy(), connectMs)
    socket.setEncoding('latin1')
    socket.once('connect', () => {
      clearTimeout(deadline)
      socket.write(netstring(this.key))
      this.emit('connected')
    })
    socket.on('data', (chunk) => {
      const read = netstringsIn(text + chunk.toString())
      for (const said of read.whole) this.hear(said, socket)
      text = read.rest
      if (text.length > maxBuffered || !read.isSound) socket.destroy()
    })
    socket.on('error', (error) => this.log.debug({ err: error }, 'no events of the edge'))
    socket.once('close', () => {
      clearTimeout(deadline)
      if (!this.stopped)
        this.timers.set(
          address,
          setTimeout(() => this.connect(address), retryMs),
        )
    })
  }

  private hear(said: string, socket: Socket): void {
    const [, transaction, cseq, to, sipCallId] = /^refer (\d+:\d+) (\d+) (\S+) (\S+)$/.exec(said) ?? []
    if (transaction && to && sipCallId) {
      const answer = (accepted: boolean) =>
        void socket.write(netstring(`${this.key}:${accepted ? 202 : 603}:${transaction}`))
      this.emit('referral', { sipCallId, cseq: Number(cseq), to, answer })
      return
    }
    const [, username, domain] = /^([^@]+)@([^@]+)$/.exec(said) ?? []
    if (username && domain) this.emit('registration', username, domain)
  }
}

function netstring(text: string): string {
  return `${Buffer.byteLength(text)}:${text},`
}

/** Takes netstrings apart: `5:hello,` (https://cr.yp.to/proto/netstrings.txt). */
function netstringsIn(text: string): { whole: string[]; rest: string; isSound: boolean } {
  const whole: string[] = []
  let at = 0
  for (;;) {
    const colon = text.indexOf(':', at)
    if (colon < 0) return { whole, rest: text.slice(at), isSound: /^\d{0,9}$/.test(text.slice(at)) }
    const length = Number(text.slice(at, colon))
    if (!/^\d{1,9}$/.test(text.slice(at, colon))) return { whole, rest: '', isSound: false }
    const end = colon + 1 + length
    if (end >= text.length) return { whole, rest: text.slice(at), isSound: true }
    if (text[end] !== ',') return { whole, rest: '', isSound: false }
    whole.push(text.slice(colon + 1, end))
    at = end + 1
  }
}
