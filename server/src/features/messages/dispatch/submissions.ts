/** The messages that a runner has in its hands, and which of their segments wait to be submitted. */
import type { Segment, SubmitError } from '../../../adapters/sms/link.js'
import type { ClaimedMessage } from './claims.js'

/** A message of which segments are to be submitted, or have not been answered. */
export interface Sending {
  readonly message: ClaimedMessage
  /** The number of its segments on this link. */
  readonly segments: number
  /** Segments without an end. */
  left: number
  accepted: number
  firstId: string | null | undefined
  /** The first that was said against it; the rest of it is not submitted then. */
  refusal: SubmitError | null
  /** Given up for now, for no fault of its own. */
  isReleased: boolean
}

export interface Submission {
  readonly sending: Sending
  readonly segment: Segment
}

/** Submissions in their order. */
export class Submissions {
  private waiting: Submission[] = []

  get length(): number {
    return this.waiting.length
  }

  add(submissions: readonly Submission[]): void {
    this.waiting.push(...submissions)
  }

  get first(): Submission | undefined {
    return this.waiting[0]
  }

  next(): Submission | undefined {
    return this.waiting.shift()
  }

  /** Removes the waiting submissions of one message, or of all. @returns their messages, with `left` reduced */
  remove(of?: Sending): Sending[] {
    const removed = this.waiting.filter(({ sending }) => !of || sending === of)
    if (removed.length > 0) this.waiting = this.waiting.filter(({ sending }) => of && sending !== of)
    for (const { sending } of removed) sending.left -= 1
    return [...new Set(removed.map(({ sending }) => sending))]
  }
}

/** @param segments those of its segments that no carrier has taken */
export function submissionsOf(
  message: ClaimedMessage,
  all: readonly Segment[],
): { sending: Sending; submissions: Submission[] } {
  const segments = all.filter(({ index }) => !message.accepted.has(index))
  const sending: Sending = {
    ...{ message, segments: all.length, left: segments.length, accepted: all.length - segments.length },
    ...{ firstId: undefined, refusal: null, isReleased: false },
  }
  return { sending, submissions: segments.map((segment) => ({ sending, segment })) }
}
