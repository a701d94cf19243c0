/** Refusing a call that has come in, before anything was begun for it. */
import type { Channel } from '../switch/channel.js'
import { refusalStatus } from '../switch/hangup-causes.js'
import type { SipRefusal } from '../stir/caller-verification.js'
import type { CallLeg } from './call-leg.entity.js'
import { statusOfFailure } from './call-outcome.js'
import type { CallStore } from './call-store.js'
import type { Call } from './call.entity.js'

/**
 * Writes a call down as one that has ended, and lets its caller know.
 * @param refusal what the caller is told, in place of what the cause stands for
 */
export async function refuseAtOnce(
  { call, leg, channel }: { call: Call; leg: CallLeg; channel: Channel },
  store: CallStore,
  hangupCause: string,
  refusal?: SipRefusal,
): Promise<void> {
  const failure = { hangupCause, sipCode: refusal?.sipCode ?? refusalStatus(hangupCause) }
  await store.refused(call, leg, { ...failure, status: statusOfFailure(failure), endedAt: new Date() })
  if (refusal) await channel.refuse(refusal.sipCode, refusal.phrase)
  else await channel.hangUp(hangupCause)
}
