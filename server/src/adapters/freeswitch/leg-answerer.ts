/**
 * The far end of the legs that end here: client legs, whose audio goes to a browser or phone by WebRTC, and legs whose raw
 * audio this process reads and writes. The switch sends the INVITE of each such leg here, with an offer; for a client leg it
 * is an offer with ICE and DTLS (`media_webrtc=true`), and our 200 carries the client's own answer.
 *
 * This only answers SIP requests, over the one TCP connection that the switch opens: legs are ended by commands to the
 * switch. So the media of clients does not depend on this process, and a restarted one answers the BYEs of legs that it
 * never saw.
 */
import { once } from 'node:events'
import { type Server, type Socket, createServer } from 'node:net'
import type { Logger } from 'pino'
import { type SipRequest, SipStream, SipStreamError, sipAnswer } from './sip-stream.js'

/** What the switch offers the far end of a leg. Once it is settled, or the switch has given up, the methods do nothing. */
export interface LegOffer {
  /** With all ICE candidates: there is no trickle. */
  readonly sdp: string
  /** The leg was answered before and negotiates new media for the same peer connection: an ICE restart. */
  readonly isRenewal: boolean
  /** @returns whether the switch still waited for it */
  answer(sdp: string): boolean
  /** @param status of SIP, 400 to 699: 486 busy, 603 declined, 480 no answer, 488 no common media */
  refuse(status: number): boolean
}

export interface AnswererOptions {
  /** TCP port on 127.0.0.1; 0 takes any free one, which a server that starts again does not have. */
  readonly port: number
}

/** Only programs of this machine reach it; the switch needs one, and a second while it closes the first. */
const maxConnections = 64

/** An INVITE follows its command within milliseconds; beyond this it does not come. */
const inviteDeadlineMs = 10_000

const allow = 'Allow: INVITE, ACK, BYE, CANCEL, OPTIONS'

/** A leg that is dialled, rings or is up. */
interface Leg {
  readonly onOffer: (offer: LegOffer) => void
  /** Runs until its INVITE has come. */
  timer: NodeJS.Timeout | undefined
  pending: Pending | undefined
}

/** An INVITE that has no final answer yet. */
interface Pending {
  readonly request: SipRequest
  readonly socket: Socket
}

export class LegAnswerer {
  private readonly legs = new Map<string, Leg>()
  private readonly sockets = new Set<Socket>()
  private server: Server | undefined
  private listening = 0

  constructor(
    private readonly options: AnswererOptions,
    private readonly log: Logger,
  ) {}

  /** The port that it listens on. */
  get port(): number {
    return this.listening
  }

  /** @throws when the port is taken */
  async start(): Promise<void> {
    const server = createServer((socket) => this.serve(socket))
    server.maxConnections = maxConnections
    server.listen(this.options.port, '127.0.0.1')
    await once(server, 'listening')
    this.server = server
    const address = server.address()
    this.listening = typeof address === 'object' && address ? address.port : 0
  }

  /** Answers no more requests; legs that are up stay up. */
  async stop(): Promise<void> {
    this.forgetAll()
    for (const socket of this.sockets) socket.destroy()
    const { server } = this
    if (server) await new Promise<void>((done) => server.close(() => done()))
  }

  /** Hands the channel's INVITE, and each re-INVITE, to `onOffer` from now on. */
  expect(channelId: string, onOffer: (offer: LegOffer) => void): void {
    this.forget(channelId)
    const timer = setTimeout(() => this.forget(channelId), inviteDeadlineMs)
    this.legs.set(channelId, { onOffer, timer, pending: undefined })
  }

  /** A channel is over: who still rings is refused. */
  forget(channelId: string): void {
    const leg = this.legs.get(channelId)
    if (!leg) return
    clearTimeout(leg.timer)
    this.legs.delete(channelId)
    this.settle(leg, 480)
  }

  /** The switch was restarted: none of its channels lives. */
  forgetAll(): void {
    for (const channelId of [...this.legs.keys()]) this.forget(channelId)
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket)
    socket.setNoDelay(true)
    const stream = new SipStream()
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const request of stream.read(chunk)) this.receive(request, socket)
      } catch (error) {
        if (!(error instanceof SipStreamError)) throw error
        this.log.warn(
          { event: 'switch.answerer_refused', reason: error.message },
          'a connection to the answerer of legs does not speak SIP',
        )
        socket.destroy()
      }
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.sockets.delete(socket)
      // An answer cannot reach the switch any more.
      for (const [channelId, { pending }] of this.legs) if (pending?.socket === socket) this.drop(channelId)
    })
  }

  private receive(request: SipRequest, socket: Socket): void {
    const reply = (status: number) => void socket.write(sipAnswer(request, status, [allow]))
    const isWhole = ['via', 'from', 'to', 'call-id', 'cseq'].every((name) => request.header(name) !== '')
    if (!isWhole || !request.header('cseq').endsWith(` ${request.method}`)) {
      if (request.method !== 'ACK') reply(400)
      return
    }
    switch (request.method) {
      case 'INVITE':
        this.receiveInvite(request, socket, reply)
        return
      case 'ACK':
        return
      case 'CANCEL':
        reply(this.cancel(request) ? 200 : 481)
        return
      case 'BYE':
        this.drop(channelOf(request))
        reply(200)
        return
      case 'OPTIONS':
        reply(200)
        return
      default:
        reply(405)
    }
  }

  private receiveInvite(request: SipRequest, socket: Socket, reply: (status: number) => void): void {
    const channelId = channelOf(request)
    const isRenewal = /;\s*tag=/i.test(request.header('to'))
    const leg = this.legs.get(channelId)
    if (!leg) {
      // 481 would end a leg of the previous process, which works well without new media.
      reply(isRenewal ? 488 : 404)
      return
    }
    if (leg.pending) {
      if (!isSameTransaction(leg.pending.request, request)) reply(491)
      return
    }
    clearTimeout(leg.timer)
    leg.timer = undefined
    if (!request.body) {
      reply(488)
      return
    }
    const pending = { request, socket }
    leg.pending = pending
    reply(100)
    if (!isRenewal) reply(180)
    leg.onOffer({
      sdp: request.body,
      isRenewal,
      answer: (sdp) => leg.pending === pending && this.settle(leg, 200, sdp),
      refuse: (status) => {
        if (leg.pending !== pending) return false
        this.settle(leg, status)
        if (!isRenewal) this.drop(channelId)
        return true
      },
    })
  }

  private cancel(request: SipRequest): boolean {
    const channelId = channelOf(request)
    const leg = this.legs.get(channelId)
    if (!leg?.pending || !isSameTransaction(leg.pending.request, request)) return false
    const isRenewal = /;\s*tag=/i.test(leg.pending.request.header('to'))
    this.settle(leg, 487)
    if (!isRenewal) this.drop(channelId)
    return true
  }

  /** Gives a leg's INVITE its final answer, if it waits for one. */
  private settle(leg: Leg, status: number, sdp = ''): boolean {
    const { pending } = leg
    if (!pending) return false
    leg.pending = undefined
    const contact = `Contact: <sip:${channelOf(pending.request)}@127.0.0.1:${this.port};transport=tcp>`
    pending.socket.write(sipAnswer(pending.request, status, [contact, allow], sdp))
    return true
  }

  /** Forgets a leg without a word. */
  private drop(channelId: string): void {
    const leg = this.legs.get(channelId)
    if (!leg) return
    leg.pending = undefined
    this.forget(channelId)
  }
}

/** The user part of the request URI: the switch dials a leg by its channel's id, and our Contact has the same. */
function channelOf(request: SipRequest): string {
  return /^sip:([0-9a-f-]{36})@/.exec(request.uri)?.[1] ?? ''
}

/** Whether both belong to one transaction, as a CANCEL and its INVITE do (RFC 3261, section 9.1). */
function isSameTransaction(one: SipRequest, other: SipRequest): boolean {
  const key = (request: SipRequest) => [
    request.header('call-id'),
    request.header('cseq').split(' ')[0],
    /;\s*branch=([^;,\s]+)/.exec(request.header('via'))?.[1],
  ]
  return key(one).join(' ') === key(other).join(' ')
}
