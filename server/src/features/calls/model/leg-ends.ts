/** Reconstructs how legs ended whose hangup event was missed. */
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import type { DialFailure } from '../../../adapters/freeswitch/hangup-causes.js'
import type { EndedOfCalls } from '../../../adapters/freeswitch/ended-channels.js'
import type { CallLeg } from './call-leg.entity.js'

export interface SwitchHistory {
  /** When this run of the switch started. */
  startedAt: Date
  /**
   * Last contact with the switch before the gap: when this server lost the connection, or the last heartbeat of the
   * server that drove the switch before. Null if there never was one.
   */
  heardAt: Date | null
  /** The switch's CDR journal. */
  journal: Pick<EndedOfCalls, 'isKept' | 'find'>
}

/** How a leg ended whose channel no longer exists. */
export async function endOfGone(leg: CallLeg, history: SwitchHistory): Promise<ChannelEnd> {
  return (await history.journal.find(leg.channel_id)) ?? presumedEnd(leg, history) ?? unreported(noTrace)
}

/**
 * The best guess for a leg whose channel is gone and which is not in the journal. Null if the switch never had the
 * channel: it would be in the journal otherwise.
 */
export function presumedEnd(leg: CallLeg, { startedAt, heardAt, journal }: SwitchHistory): ChannelEnd | null {
  const restarted = leg.created_at < startedAt
  if (!restarted && !leg.answered_at && journal.isKept) return null
  // Time without contact is not charged: a machine may have been off for a day before its switch restarted.
  const heard = heardAt ?? new Date()
  const latest = restarted && startedAt < heard ? startedAt : heard
  const earliest = leg.answered_at ?? leg.created_at
  return {
    hangupCause: restarted ? 'CRASH' : 'NORMAL_UNSPECIFIED',
    sipCode: null,
    answeredAt: leg.answered_at,
    endedAt: latest > earliest ? latest : earliest,
  }
}

/** End of a leg that the switch never had, or does not report: it ends now. */
export function unreported(
  { hangupCause, sipCode }: DialFailure,
  leg: Pick<CallLeg, 'answered_at'> = { answered_at: null },
): ChannelEnd {
  return { hangupCause, sipCode, answeredAt: leg.answered_at, endedAt: new Date() }
}

/** The channel left no trace. */
export const noTrace: DialFailure = { hangupCause: 'NORMAL_UNSPECIFIED', sipCode: null }

/** End of a leg, as recorded in its row. */
export function endOfLeg(leg: CallLeg): ChannelEnd {
  return {
    hangupCause: leg.hangup_cause ?? 'NORMAL_UNSPECIFIED',
    sipCode: leg.sip_code,
    answeredAt: leg.answered_at,
    endedAt: leg.ended_at ?? new Date(),
  }
}

/** When an ended leg was answered; null if the answer was never acknowledged. */
export function answerOfLeg(leg: Pick<CallLeg, 'answered_at'>, end: ChannelEnd): Date | null {
  return end.isUnacknowledged ? null : (leg.answered_at ?? end.answeredAt)
}
