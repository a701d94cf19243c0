import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { CallEventName } from '../model/call-event.entity.js'
import type { Call } from '../model/call.entity.js'

/** The running call of a stream. */
export interface StreamHost {
  readonly call: Readonly<Call>
  /** The current channel of the script leg; a transfer can replace it. */
  line(): Channel
  /** Aborted when the call ends. */
  readonly over: AbortSignal
  /** Adds to the timeline. */
  note(event: CallEventName, details: object): void
}
