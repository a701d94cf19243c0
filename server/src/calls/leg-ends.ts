/** How legs ended whose end nobody heard of. */
import type { ChannelEnd } from '../switch/channel-end.js'
import type { EndedOfCalls } from '../switch/ended-channels.js'
import type { CallLeg } from './call-leg.entity.js'

export interface SwitchHistory {
  /** When this run of the switch began. */
  startedAt: Date
  /**
   * When the switch was last heard of before it was not for a while: when this server lost it, or whoever drove it
   * before last said that it lived. Null when that has never been.
   */
  heardAt: Date | null
  /** What its journal tells. */
  journal: Pick<EndedOfCalls, 'isKept' | 'find'>
}

/** How a leg ended whose channel the switch has no more. */
export async function endOfGone(leg: CallLeg, history: SwitchHistory): Promise<ChannelEnd> {
  return (await history.journal.find(leg.channel_id)) ?? presumedEnd(leg, history) ?? unheardOf()
}

/**
 * What can be known of a leg whose channel is gone and is in no journal. Null when the switch has never
 * heard of it: it would stand in the journal otherwise.
 */
export function presumedEnd(leg: CallLeg, { startedAt, heardAt, journal }: SwitchHistory): ChannelEnd | null {
  const restarted = leg.created_at < startedAt
  if (!restarted && !leg.answered_at && journal.isKept) return null
  // What nobody heard is not charged: a machine may have been off for a day before its switch began anew.
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

/** When a leg was answered that has ended so; null of an answer that connected nobody. */
export function answerOfLeg(leg: Pick<CallLeg, 'answered_at'>, end: ChannelEnd): Date | null {
  return end.isUnacknowledged ? null : (leg.answered_at ?? end.answeredAt)
}
