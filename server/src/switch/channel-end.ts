/** How channels end. */
import type { SwitchEvent } from './switch-event.js'

/** How a channel ended, in the switch's own words and time. */
export interface ChannelEnd {
  hangupCause: string
  /** SIP status that refused the INVITE, or null. */
  sipCode: number | null
  answeredAt: Date | null
  endedAt: Date
}

/** The channel hung up while something was done with it. */
export class ChannelEndedError extends Error {
  constructor(readonly end: ChannelEnd) {
    super(`the channel ended: ${end.hangupCause}`)
  }
}

/** Reads it from the event of the end. */
export function endOf(event: SwitchEvent): ChannelEnd {
  const answeredAt = event.moment('Caller-Channel-Answered-Time')
  return {
    hangupCause: event.get('Hangup-Cause') ?? 'NORMAL_UNSPECIFIED',
    sipCode: answeredAt ? null : sipStatus(event.variable('sip_invite_failure_status')),
    answeredAt,
    endedAt: event.moment('Caller-Channel-Hangup-Time') ?? event.date,
  }
}

/** A SIP status as text, or null when there is none. */
export function sipStatus(text: string | undefined): number | null {
  const status = Number(text)
  return status >= 100 && status < 700 ? status : null
}
