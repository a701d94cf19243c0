/** Calls that go out with a number which has them recorded. */
import type { Logger } from 'pino'
import type { PhoneNumber } from '../phone-numbers/phone-number.entity.js'
import type { Channel } from '../switch/channel.js'
import { ActionProblem } from './actions/action-problem.js'
import type { CallEvent } from './call-event.entity.js'
import { eventOf } from './call-events.js'
import type { CallRecorder } from './call-recorder.js'
import type { CallStore } from './call-store.js'
import type { Call } from './call.entity.js'
import type { DurableWrites } from './durable-writes.js'

interface Numbers {
  phoneNumber(call: Call): Promise<PhoneNumber | null>
}

interface Services extends Numbers {
  readonly actions: { readonly recorder: CallRecorder }
  readonly store: Pick<CallStore, 'note'>
  readonly log: Logger
}

/** Whether the number that the call goes out with has its calls recorded. */
export async function isRecordedByNumber(call: Call, numbers: Numbers): Promise<boolean> {
  return call.direction === 'outbound' && ((await numbers.phoneNumber(call))?.record_outbound ?? false)
}

/**
 * Records an answered call if its number says so; the call goes on whatever becomes of that, and its timeline says it.
 * @param writes of the call
 */
export async function recordOutbound(
  call: Call,
  channel: Channel,
  services: Services,
  writes: DurableWrites,
): Promise<void> {
  const { recorder } = services.actions
  try {
    if (!(await isRecordedByNumber(call, services)) || !(await recorder.mayRecord(call))) return
    await recorder.begin(call, channel, { format: 'wav', stereo: false })
  } catch (error) {
    services.log.warn({ err: error, call: call.id }, 'a call is not recorded')
    const note = eventOf(call, 'call.action', new Date(), { details: recordingFailure(error) })
    void writes.add(async () => services.store.note(note))
  }
}

/** For the timeline of a call that was to be recorded, and is not. */
export function recordingFailed(call: Call, at: Date): CallEvent {
  return eventOf(call, 'call.action', at, { details: recordingFailure(null) })
}

/** The timeline's entry for a recording that did not begin. */
export function recordingFailure(error: unknown): object {
  const problem = error instanceof ActionProblem ? { problem: error.message } : {}
  return { action: 'recording', outcome: 'failed', ...problem }
}
