/**
 * Destinations for which one carrier does not take messages at the moment, such as a handset whose queue is full. Their
 * messages wait, each destination with a back-off of its own, and all others are sent.
 */
import { SubmitError } from '../../../adapters/sms/link.js'

interface Held {
  readonly code: string
  readonly message: string
  until: number
  pauseMs: number
  /** The message that is submitted to see whether the destination is well again. */
  probe: string | null
  /** The counts of {@link Destinations} when it was throttled last; null when it never was. */
  throttledAt: { readonly taken: number; readonly throttled: number } | null
}

const firstPauseMs = 1_000
const longestPauseMs = 300_000
/** If the carrier throttles all destinations: it takes messages again soon. */
const longestThrottledPauseMs = 10_000

/** Destinations that are remembered; the one refused longest ago is forgotten first. */
const most = 10_000

export class Destinations {
  private readonly held = new Map<string, Held>()
  /** Submissions that the carrier has taken, and throttled. */
  private taken = 0
  private throttled = 0

  constructor(private readonly now: () => number = Date.now) {}

  /** Why a message must not be submitted now; null if it may be. One message at a time tries a destination again. */
  refusalOf(to: string, messageId: string): SubmitError | null {
    const held = this.held.get(to)
    if (!held) return null
    const left = held.until - this.now()
    if (left <= 0 && (held.probe === null || held.probe === messageId)) return null
    return refusal(held, left > 0 ? left : held.pauseMs)
  }

  /** A message is being submitted. */
  begin(to: string, messageId: string): void {
    const held = this.held.get(to)
    if (held) held.probe = messageId
  }

  /** The carrier has taken a message. */
  accepted(to: string): void {
    this.taken += 1
    this.held.delete(to)
  }

  /**
   * The carrier has refused a message. If one destination is throttled again while most others are accepted, the
   * throttling is its own: SMSCs limit single destinations too, and answer both with 0x58 or 429.
   * @returns the refusal, of kind `destination` if only this destination is throttled
   */
  refused(to: string, error: SubmitError): SubmitError {
    const known = this.held.get(to)
    if (known) known.probe = null
    if (error.kind === 'destination') return this.hold(to, error, known?.throttledAt ?? null, longestPauseMs)
    if (error.kind !== 'throttled') return error
    const before = known?.throttledAt
    const isOwn =
      before &&
      this.taken > before.taken &&
      this.taken - before.taken >= 2 * (this.throttled - before.throttled)
    if (!isOwn) this.throttled += 1
    const counts = { taken: this.taken, throttled: this.throttled }
    const held = this.hold(to, error, counts, isOwn ? longestPauseMs : longestThrottledPauseMs)
    return isOwn ? held : error
  }

  private hold(
    to: string,
    error: SubmitError,
    throttledAt: Held['throttledAt'],
    longestMs: number,
  ): SubmitError {
    const now = this.now()
    const known = this.held.get(to)
    const isRunning = known && known.until > now
    const pauseMs = isRunning ? known.pauseMs : Math.min(longestMs, 2 * (known?.pauseMs ?? firstPauseMs / 2))
    const until = Math.max(
      isRunning ? known.until : 0,
      now + (error.retryAfterMs ?? (isRunning ? 0 : pauseMs)),
    )
    const held = { code: error.code, message: error.message, until, pauseMs, probe: null, throttledAt }
    this.held.delete(to)
    this.held.set(to, held)
    const [oldest] = this.held.keys()
    if (this.held.size > most && oldest !== undefined) this.held.delete(oldest)
    return refusal(held, until - now)
  }
}

function refusal({ code, message }: Held, waitMs: number): SubmitError {
  return new SubmitError('destination', code, message, waitMs)
}
