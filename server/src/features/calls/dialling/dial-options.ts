import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { Codec } from '../../../adapters/freeswitch/switchboard.js'
import type { CallLeg, LegRole } from '../model/call-leg.entity.js'

export interface RouteDialOptions {
  role: LegRole
  callerName: string
  /** Seconds for all addresses together. */
  ringTimeout: number
  /** Seconds after the answer. */
  maxDuration: number
  afterBridge: 'park' | 'hangup'
  signal: AbortSignal
  /** The first address to dial: the previous process tried those before it. */
  first?: number
  /** A caller that waits unanswered, and gets the far end's progress and early media. */
  caller?: Channel
  /** The team in whose name its members are rung. */
  teamId?: string
  /** Set if the called party gets the call by transfer. */
  transfer?: { reason: string | null }
  /** Offered instead of the route's default codecs. */
  codecs?: readonly Codec[]
  /** `isForked`: other legs ring at the same time, and the switch bridges the first that answers. */
  onDialed?: (leg: CallLeg, channel: Channel, isForked?: true) => void
  /** Somebody outside the workspace sends early media: it can replace the ringback. */
  onEarlyMedia?: (channel: Channel) => void
  onRinging?: (sipCode: number, at: Date) => void
}
