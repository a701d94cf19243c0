/**
 * The WebSocket of a call (docs/integrate/apps.md, "A call's WebSocket"). One that is lost is opened again by itself, as long as the
 * server keeps the app's place.
 */

export interface Frame {
  event: string
  data: Record<string, unknown>
}

interface Listener {
  frame(frame: Frame): void
  /** It is on its way back. */
  lost(): void
  /** It does not come back. @param code of what the server said last, where it said something */
  over(code: string | undefined): void
}

/** The server keeps the place of an app that is away for so long. */
const awayMs = 30_000

const comeBackMs = 1_000

/** On the way back a socket on which nothing is said for so long is of no use. */
const settleMs = 10_000

/** A socket that has said nothing to a good-bye in this time is of no use. */
const farewellMs = 3_000

/** Codes of closed sockets after which the same token is of no use (docs/integrate/apps.md, "What closes a socket"). */
const finalCodes = new Set([1000, 4003, 4004, 4008])

export class CallLink {
  private socket: WebSocket | undefined
  private timer: number | undefined
  private awayTimer: number | undefined
  private lastError: string | undefined
  private isLeaving = false
  /** Whether the server keeps the place of an app that is away: it does once the call is answered. */
  keepsPlace = false
  /** Whether the media that there was is gone on with; without, the server makes a new offer. */
  private resumes = false

  constructor(
    private readonly url: string,
    public token: string,
    private readonly listener: Listener,
  ) {
    this.connect()
  }

  /** Whether what is said now is heard, as far as one knows. */
  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN && this.awayTimer === undefined
  }

  say(event: string, data: object = {}): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ event, data }))
  }

  /** The app has its place, with or without a new offer. */
  settled(): void {
    this.keepsPlace = this.resumes = true
    this.lastError = undefined
    window.clearTimeout(this.awayTimer)
    this.awayTimer = undefined
  }

  /** The media is lost: the server is asked for a new offer. */
  renew(): void {
    this.resumes = false
    this.waitForReturn()
    this.connect()
  }

  /** Hangs up, now or as soon as the server can be reached again. What is told after that is nothing but the end. */
  leave(): void {
    if (this.isLeaving) return
    this.isLeaving = true
    this.waitForReturn()
    this.sayFarewell()
  }

  close(): void {
    window.clearTimeout(this.timer)
    window.clearTimeout(this.awayTimer)
    this.drop()
  }

  private connect(): void {
    window.clearTimeout(this.timer)
    this.drop()
    const socket = new WebSocket(this.url)
    this.socket = socket
    const isOurs = () => this.socket === socket
    socket.onopen = () => {
      this.say('session.connect', { token: this.token, ...(this.resumes && { resume: true }) })
      if (this.isLeaving) this.sayFarewell()
    }
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      if (isOurs()) this.take(JSON.parse(data) as Frame)
    }
    socket.onclose = ({ code }) => {
      if (isOurs()) this.lost(code)
    }
    if (this.keepsPlace) this.timer = window.setTimeout(() => this.lost(undefined), settleMs)
  }

  private take(frame: Frame): void {
    if (frame.event === 'error') this.lastError = String(frame.data['code'])
    else if (!this.isLeaving) window.clearTimeout(this.timer)
    this.listener.frame(frame)
  }

  private sayFarewell(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return
    this.say('call.hangup')
    window.clearTimeout(this.timer)
    this.timer = window.setTimeout(() => this.lost(undefined), farewellMs)
  }

  private lost(code: number | undefined): void {
    window.clearTimeout(this.timer)
    this.drop()
    if ((code !== undefined && finalCodes.has(code)) || !this.keepsPlace) {
      this.giveUp()
      return
    }
    this.waitForReturn()
    this.listener.lost()
    this.timer = window.setTimeout(() => this.connect(), comeBackMs)
  }

  private waitForReturn(): void {
    this.awayTimer ??= window.setTimeout(() => this.giveUp(), awayMs)
  }

  private giveUp(): void {
    this.close()
    this.listener.over(this.lastError)
  }

  private drop(): void {
    const { socket } = this
    this.socket = undefined
    socket?.close()
  }
}
