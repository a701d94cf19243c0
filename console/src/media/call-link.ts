/**
 * The WebSocket of a call (docs/integrate/apps.md, "A call's WebSocket"). A lost one is reopened automatically, for as long as the
 * server keeps the app's leg.
 */

export interface Frame {
  event: string
  data: Record<string, unknown>
}

interface Listener {
  frame(frame: Frame): void
  /** It is reconnecting. */
  lost(): void
  /** It does not reconnect. @param code the server's last error code, if it sent one */
  over(code: string | undefined): void
}

/** How long the server keeps the leg of a disconnected app. */
const awayMs = 30_000

const comeBackMs = 1_000

/** On reconnect: a socket without any message for this long is dead. */
const settleMs = 10_000

/** A socket that does not answer a close in this time is dead. */
const farewellMs = 3_000

/** Close codes after which the token cannot be used again (docs/integrate/apps.md, "What closes a socket"). */
const finalCodes = new Set([1000, 4003, 4004, 4008])

export class CallLink {
  private socket: WebSocket | undefined
  private timer: number | undefined
  private awayTimer: number | undefined
  private lastError: string | undefined
  private isLeaving = false
  /** Whether the server keeps the leg of a disconnected app: it does once the call is answered. */
  keepsPlace = false
  /** Whether to resume the existing media; otherwise the server makes a new offer. */
  private resumes = false

  constructor(
    private readonly url: string,
    public token: string,
    private readonly listener: Listener,
  ) {
    this.connect()
  }

  /** Whether a message sent now is likely to arrive. */
  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN && this.awayTimer === undefined
  }

  say(event: string, data: object = {}): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ event, data }))
  }

  /** The app has joined, with or without a new offer. */
  settled(): void {
    this.keepsPlace = this.resumes = true
    this.lastError = undefined
    window.clearTimeout(this.awayTimer)
    this.awayTimer = undefined
  }

  /** The media is lost: requests a new offer from the server. */
  renew(): void {
    this.resumes = false
    this.waitForReturn()
    this.connect()
  }

  /** Hangs up, now or as soon as the server is reachable. From then on only the end is reported. */
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
