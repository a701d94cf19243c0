/** How reaching somebody ends: with an answer, or with the failure that says most. */
import type { Channel } from '../switch/channel.js'
import type { DialFailure } from '../switch/hangup-causes.js'
import type { CallLeg } from './call-leg.entity.js'

/** Somebody answered. */
export interface Reached {
  leg: CallLeg
  channel: Channel
  /** The caller has heard them before the answer, and hears them on. */
  isJoined?: boolean
}

/** Nobody was reached. */
export class DialFailedError extends Error {
  constructor(
    readonly failure: DialFailure,
    readonly endedAt: Date,
  ) {
    super(`not reached: ${failure.hangupCause}`)
  }
}

/** The reason to abort a hunt with when somebody else has answered: the phone is told so, and shows no missed call. */
export const lostRace = 'LOSE_RACE'
