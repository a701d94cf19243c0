/** How a dial ends: with an answer, or with the most specific failure. */
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { DialFailure } from '../../../adapters/freeswitch/hangup-causes.js'
import { failures } from './termination.js'
import type { CallLeg } from './call-leg.entity.js'

/** An answered leg. */
export interface AnsweredLeg {
  leg: CallLeg
  channel: Channel
  /** The caller was connected to its early media and stays bridged. */
  isJoined?: boolean
}

/** No destination answered. */
export class DialFailedError extends Error {
  constructor(
    readonly failure: DialFailure,
    readonly endedAt: Date,
  ) {
    super(`not reached: ${failure.hangupCause}`)
  }
}

/** Cause for cancelling a leg when another one has answered: the phone shows no missed call. */
export const lostRace = failures.answeredElsewhere.hangupCause
