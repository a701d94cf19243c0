/**
 * Receives events of the edges: which addresses registered or unregistered, which phones transfer their calls (REFER), which
 * far ends are gone or refuse fax, and the results of pings (kamailio-conf/roles/events.cfg, refer.cfg, within-dialog.cfg,
 * fax.cfg, pings.cfg). They come over HTTP, in an endless answer with a line for each. Events while the connection is down are
 * lost: {@link EdgeEvents} says when it is up again.
 */
import { EventEmitter } from 'node:events'
import type { ClientRequest } from 'node:http'
import type { Logger } from 'pino'
import type { EdgeClient } from './edge-client.js'

const retryMs = 1_000

/** An edge sends its time every two seconds; one that is silent for this time, in milliseconds, is gone or cut off. */
const silenceMs = 7_000

/** Far more than the longest line needs. */
const longestLine = 65_536

/** A phone's REFER. */
export interface Referral {
  /** Of the phone's call. */
  sipCallId: string
  cseq: number
  /**
   * The user part of the SIP URI that is to be called: letters, digits and `_.+*#-`; null where the phone has spoken with
   * the target.
   */
  to: string | null
  /** The Call-ID of the call in which it has (Replaces, RFC 3891). */
  replaced: string | null
  /** Accepts it (202), or declines (603); within 5 seconds. Who does not have the call says nothing. */
  answer(accepted: boolean): void
}

interface EdgeEventsEvents {
  /** An address has its first phone, or has one less. */
  registration: [username: string, domain: string]
  referral: [referral: Referral]
  /** The far end of a call was asked whether it is there: it cannot be reached, does not answer, or knows no such call. */
  gone: [sipCallId: string]
  /** The far end of a call was offered fax (T.38) by the switch, and refused. */
  fax_refused: [sipCallId: string]
  /** What came of an OPTIONS: the status of its answer, 0 without one, and the milliseconds until then. */
  pong: [id: string, status: number, milliseconds: number]
  /** Events arrive from now on; earlier ones were lost. */
  connected: []
}

export class EdgeEvents extends EventEmitter<EdgeEventsEvents> {
  private readonly requests = new Map<EdgeClient, ClientRequest>()
  private readonly timers = new Map<EdgeClient, NodeJS.Timeout>()
  private stopped = false

  constructor(
    private readonly edges: readonly EdgeClient[],
    private readonly log: Logger,
  ) {
    super()
  }

  start(): void {
    for (const edge of this.edges) if (edge.isConfigured) this.connect(edge)
  }

  stop(): void {
    this.stopped = true
    for (const timer of this.timers.values()) clearTimeout(timer)
    for (const request of this.requests.values()) request.destroy()
  }

  private connect(edge: EdgeClient): void {
    const request = edge.events()
    this.requests.set(edge, request)
    const isSilent = () => request.destroy(new Error(`it was silent for ${silenceMs} ms`))
    const silence = setTimeout(isSilent, silenceMs)
    request.once('response', (response) => {
      if (response.statusCode !== 200) {
        request.destroy(new Error(`it answers ${response.statusCode}`))
        return
      }
      let text: string | null = null
      response.setEncoding('latin1')
      response.on('data', (chunk: string) => {
        silence.refresh()
        if (text === null) this.emit('connected')
        const lines = ((text ?? '') + chunk).split('\n')
        text = lines.pop() ?? ''
        for (const line of lines) this.receive(line, edge)
        if (text.length > longestLine) request.destroy(new Error('it says what is no line'))
      })
      response.on('error', (error) =>
        this.log.debug({ event: 'edge.events_missing', err: error }, 'no events of the edge'),
      )
      response.once('end', () => request.destroy())
    })
    request.on('error', (error) =>
      this.log.debug({ event: 'edge.events_missing', err: error }, 'no events of the edge'),
    )
    request.once('close', () => {
      clearTimeout(silence)
      if (this.stopped) return
      this.timers.set(
        edge,
        setTimeout(() => this.connect(edge), retryMs),
      )
    })
  }

  private receive(said: string, edge: EdgeClient): void {
    const [, kind, transaction, cseq, to, sipCallId] =
      /^(refer|attended) (\d+:\d+) (\d+) (\S+) (\S+)$/.exec(said) ?? []
    if (transaction && to && sipCallId) {
      const answer = (accepted: boolean) => {
        // The edge answers 503 to the phone without an answer in time.
        edge.answerReferral(transaction, accepted).catch((error: unknown) => {
          this.log.warn(
            { event: 'edge.refer_not_answered', err: error },
            'the edge did not get the answer to a phone’s REFER',
          )
        })
      }
      const target = kind === 'refer' ? { to, replaced: null } : { to: null, replaced: to }
      this.emit('referral', { sipCallId, cseq: Number(cseq), ...target, answer })
      return
    }
    const [, gone] = /^gone (\S+)$/.exec(said) ?? []
    if (gone) {
      this.emit('gone', gone)
      return
    }
    const [, refusing] = /^no-fax (\S+)$/.exec(said) ?? []
    if (refusing) {
      this.emit('fax_refused', refusing)
      return
    }
    const [, id, status, milliseconds] = /^pong ([\w-]+) (\d+) (-?\d+)$/.exec(said) ?? []
    if (id) {
      this.emit('pong', id, Number(status), Math.max(0, Number(milliseconds)))
      return
    }
    const [, at] = /^at ([\d.]+)$/.exec(said) ?? []
    if (at) edge.clock.heard(Number(at) * 1000)
    const [, username, domain] = /^([^@]+)@([^@]+)$/.exec(said) ?? []
    if (username && domain) this.emit('registration', username, domain)
  }
}
