/** A call of a test's telephone, and how much of what it hears in it is a tone. */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Telephone } from './telephone.js'
import { toneLevel } from './tone.js'

/** Time that anything of a test may take, milliseconds. */
export const patienceMs = 15_000

export interface Via {
  host: string
  port: number
}

/** A call of a phone, on whichever side. */
export class PhoneDialog extends EventEmitter<{ status: [number]; ended: [string] }> {
  /** Statuses of our INVITE, in order of arrival. */
  readonly statuses: number[] = []
  /** All messages of the call that came in, as text. */
  readonly received: string[] = []
  state: 'ringing' | 'up' | 'ended' = 'ringing'
  /** What ended it: `BYE`, `CANCEL` or a status. */
  endedBy = ''
  /** Where the other side's audio comes from, once it is known. */
  media: Via | undefined
  remoteTag = ''
  remoteTarget = ''
  routes: string[] = []
  cseq = 1
  /** That of the latest INVITE of ours. */
  inviteCseq = 1

  constructor(
    readonly phone: Telephone,
    readonly callId: string,
    readonly localTag: string,
    /** Our own URI in this call, and the other's. */
    readonly local: string,
    readonly remote: string,
  ) {
    super()
  }

  /** The final answer to our INVITE. */
  async answered(): Promise<number> {
    return this.until(() => this.statuses.find((status) => status >= 200), 'final answer')
  }

  /** Waits for a status of our INVITE. */
  async heard(status: number): Promise<void> {
    await this.until(() => this.statuses.includes(status) || undefined, `status ${status}`)
  }

  async up(): Promise<void> {
    await this.until(() => this.state === 'up' || undefined, 'call that is up')
  }

  /** Waits for the end; returns what ended it. */
  async over(): Promise<string> {
    return this.until(() => (this.state === 'ended' ? this.endedBy : undefined), 'end of the call')
  }

  async hangUp(): Promise<void> {
    this.phone.bye(this)
    await this.over()
  }

  end(by: string): void {
    if (this.state === 'ended') return
    this.state = 'ended'
    this.endedBy = by
    this.emit('ended', by)
  }

  private async until<T>(look: () => T | undefined, what: string): Promise<T> {
    const end = Date.now() + patienceMs
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      if (Date.now() > end) throw new Error(`no ${what}; statuses ${this.statuses.join(' ')}, ${this.state}`)
      await sleep(10)
    }
  }
}

/** All that a phone has heard in a call, at 8 kHz. */
export function heardIn({ phone, media }: PhoneDialog): Int16Array {
  const source = `${media?.host}:${media?.port}`
  return phone.ear.heard().find((one) => one.source === source)?.pcm ?? new Int16Array()
}

/**
 * How much of what a phone hears in a call is a tone, 0 to 1.
 * @param samples how many of the last ones are listened to, at 8 kHz
 */
export function hears({ phone, media }: PhoneDialog, hz: number, samples = 4_000): number {
  return media ? toneLevel(phone.ear.latest(media.host, media.port, samples), hz) : 0
}

/** How many packets a phone has heard in a call. */
export function packetsTo({ phone, media }: PhoneDialog): number {
  return media ? phone.ear.packetsOf(media.host, media.port) : 0
}

/** How loud what a phone hears in a call is now: the root mean square of the last 100 ms. */
export function loudness(dialog: PhoneDialog): number {
  const last = heardIn(dialog).subarray(-800)
  return Math.sqrt(last.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, last.length))
}
