/** How legs ended whose end nobody heard of. */
import type { ChannelEnd } from '../switch/channel-end.js'
import type { CallLeg } from './call-leg.entity.js'

export interface SwitchHistory {
  /** When this run of the switch began. */
  startedAt: Date
  /** When this server lost an earlier run of it; null when it has just come up itself. */
  lostAt: Date | null
  /** When the server that drove it before last said so: nothing is known of an earlier run after that. */
  heardBefore: Date | null
}

/**
 * What can be known of a leg whose channel is gone and is in no journal. Null when the switch has never
 * heard of it: it would stand in the journal otherwise.
 */
export function presumedEnd(
  leg: CallLeg,
  { startedAt, lostAt, heardBefore }: SwitchHistory,
  journalIsKept: boolean,
): ChannelEnd | null {
  const restarted = leg.created_at < startedAt
  if (!restarted && !leg.answered_at && journalIsKept) return null
  // A machine may have been off for a day before its switch began anew: that is not charged.
  const heardAt = lostAt ?? (restarted ? heardBefore : null)
  const latest = restarted && (!heardAt || startedAt < heardAt) ? startedAt : (heardAt ?? new Date())
  const earliest = leg.answered_at ?? leg.created_at
  return {
    hangupCause: restarted ? 'CRASH' : 'NORMAL_UNSPECIFIED',
    sipCode: null,
    answeredAt: leg.answered_at,
    endedAt: latest > earliest ? latest : earliest,
  }
}

/** Of a channel of which nothing is left. */
export function unheardOf(): ChannelEnd {
  return { hangupCause: 'NORMAL_UNSPECIFIED', sipCode: null, answeredAt: null, endedAt: new Date() }
}

/** What a leg's row says of its end. */
export function endOfLeg(leg: CallLeg): ChannelEnd {
  return {
    hangupCause: leg.hangup_cause ?? 'NORMAL_UNSPECIFIED',
    sipCode: leg.sip_code,
    answeredAt: leg.answered_at,
    endedAt: leg.ended_at ?? new Date(),
  }
}
