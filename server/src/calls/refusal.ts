/** Refusing a call that has come in, before anything was begun for it. */
import type { Channel } from '../switch/channel.js'
import { refusalStatus } from '../switch/hangup-causes.js'
import type { SipRefusal } from '../stir/caller-verification.js'
import type { CallLeg } from './call-leg.entity.js'
import { statusOfFailure } from './call-outcome.js'
import type { CallStore } from './call-store.js'
import type { Call } from './call.entity.js'
import type { Explanation } from './no-way.js'

/** What is known of a refusal beside its cause. */
interface Refusal {
  /** What the caller is answered, in place of what the cause stands for. */
  answer?: SipRefusal
  /** For the timeline. */
  why?: Explanation
}

/** Writes a call down as one that has ended, and answers its caller. */
export async function refuseAtOnce(
  { call, leg, channel }: { call: Call; leg: CallLeg; channel: Channel },
  store: CallStore,
  hangupCause: string,
  { answer, why }: Refusal = {},
): Promise<void> {
  const failure = { hangupCause, sipCode: answer?.sipCode ?? refusalStatus(hangupCause) }
  await store.refused(call, leg, { ...failure, status: statusOfFailure(failure), endedAt: new Date(), why })
  await refuseChannel(channel, hangupCause, answer)
}

/** Refuses a channel that nothing was answered yet. */
export async function refuseChannel(
  channel: Channel,
  hangupCause: string,
  answer: SipRefusal | undefined,
): Promise<void> {
  if (answer) await channel.refuse(answer.sipCode, answer.phrase)
  else await channel.hangUp(hangupCause)
}
