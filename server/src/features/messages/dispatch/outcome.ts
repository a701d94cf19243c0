/** Outcomes of submissions, as the runner has them written. */
import type { Receipt, SubmitError } from '../../../adapters/sms/link.js'
import type { ClaimedMessage } from './claims.js'

export type Outcome =
  /** A carrier has taken a segment. */
  | {
      readonly kind: 'accepted'
      readonly message: ClaimedMessage
      /** From 0; null if all segments had been taken before. */
      readonly segment: number | null
      readonly carrierMessageId: string | null
      /** Set with the last segment: the message is sent. */
      readonly sent: Sent | null
    }
  | Refused
  /** It was not submitted, and goes back to the queue. */
  | { readonly kind: 'released'; readonly message: ClaimedMessage }
  | { readonly kind: 'receipt'; readonly receipt: Receipt }

export interface Sent {
  readonly segments: number
  /** The carrier's id of its first segment; undefined where that went with an earlier try. */
  readonly carrierMessageId: string | null | undefined
}

export interface Refused {
  readonly kind: 'refused'
  readonly message: ClaimedMessage
  readonly error: SubmitError
  /** Whether the carrier has taken some of its segments. */
  readonly isPartly: boolean
}
