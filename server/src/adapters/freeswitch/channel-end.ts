/** How channels end. */
import { refusalOf } from './redirects.js'
import type { SwitchEvent } from './switch-event.js'

/** How a channel ended, in the switch's own words and time. */
export interface ChannelEnd {
  hangupCause: string
  /** SIP status that refused the INVITE, or null. */
  sipCode: number | null
  answeredAt: Date | null
  endedAt: Date
  /** Of a phone that forwards its calls (302): where to, as `user@host`. */
  forwardedTo?: string
  /** True if the far end hung up, gave up or refused, false if the switch did; undefined if that is not known. */
  isByPeer?: boolean
  /** An incoming leg whose caller never sent the ACK for our answer: `answeredAt` is null. */
  isUnacknowledged?: true
}

/** The channel hung up while something was done with it. */
export class ChannelEndedError extends Error {
  constructor(readonly end: ChannelEnd) {
    super(`the channel ended: ${end.hangupCause}`)
  }
}

/** The ACK comes within this time, in milliseconds; a shorter call counts as acknowledged without it. */
const acknowledgedMs = 1_000

/** The cause when mod_sofia itself ends a channel, as when the answer could not be sent. */
const failedCause = 'NORMAL_UNSPECIFIED'

/** Reads it from the event of the end. */
export function endOf(event: SwitchEvent): ChannelEnd {
  const answeredAt = event.moment('Caller-Channel-Answered-Time')
  const endedAt = event.moment('Caller-Channel-Hangup-Time') ?? event.date
  const hangupCause = event.get('Hangup-Cause') ?? failedCause
  const isUnacknowledged = event.get('Call-Direction') === 'inbound' && !event.variable('sip_to_tag')
  return {
    hangupCause,
    ...(answeredAt ? { sipCode: null } : refusalOf(event)),
    ...answerOf({ answeredAt, endedAt, hangupCause, isUnacknowledged }),
    endedAt,
    ...enderOf(event.variable('sip_hangup_disposition')),
  }
}

/** mod_sofia says which side sent the BYE, CANCEL or refusal: `recv_bye`, `send_cancel` … */
function enderOf(disposition = ''): Pick<ChannelEnd, 'isByPeer'> {
  return /^(recv|send)_/.test(disposition) ? { isByPeer: disposition.startsWith('recv_') } : {}
}

interface Answered {
  readonly answeredAt: Date | null
  readonly endedAt: Date
  readonly hangupCause: string
  /**
   * True if an incoming channel has no To tag of ours, which mod_sofia writes when the ACK comes (sofia.c, nua_i_ack). The
   * dialplan removes the one that mod_sofia writes on ringing.
   */
  readonly isUnacknowledged: boolean
}

/** An answer without an ACK does not count. */
export function answerOf({
  answeredAt,
  endedAt,
  hangupCause,
  isUnacknowledged,
}: Answered): Pick<ChannelEnd, 'answeredAt' | 'isUnacknowledged'> {
  if (answeredAt === null) return { answeredAt }
  const lastedMs = endedAt.getTime() - answeredAt.getTime()
  const wasMissed = lastedMs >= acknowledgedMs || hangupCause === failedCause
  return isUnacknowledged && wasMissed ? { answeredAt: null, isUnacknowledged: true } : { answeredAt }
}
