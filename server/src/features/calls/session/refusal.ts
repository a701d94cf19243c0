/** Rejects an inbound call before anything was started for it. */
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { SipRefusal } from '../../../adapters/stir-shaken/caller-verification.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import { rejected } from '../model/termination.js'
import type { CallStore } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'
import type { Explanation } from '../model/no-route.js'

/** Details of a rejection besides its cause. */
interface Refusal {
  /** SIP answer to the caller, instead of the one that the cause maps to. */
  answer?: SipRefusal
  /** For the timeline. */
  why?: Explanation
}

/** Writes a call that has already ended, and answers its caller. */
export async function refuseAtOnce(
  { call, leg, channel }: { call: Call; leg: CallLeg; channel: Channel },
  store: CallStore,
  hangupCause: string,
  { answer, why }: Refusal = {},
): Promise<void> {
  const termination = rejected(hangupCause, answer?.sipCode)
  await store.refused(call, leg, { ...termination, endedAt: new Date(), why })
  await refuseChannel(channel, hangupCause, answer)
}

/** Rejects an unanswered channel. */
export async function refuseChannel(
  channel: Channel,
  hangupCause: string,
  answer: SipRefusal | undefined,
): Promise<void> {
  if (answer) await channel.refuse(answer.sipCode, answer.phrase)
  else await channel.hangUp(hangupCause)
}
