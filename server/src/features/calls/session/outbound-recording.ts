/** Records outbound calls of numbers that are set to record them. */
import type { Logger } from 'pino'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import { RecordingProblem } from '../../recordings/recording-problem.js'
import type { CallEvent } from '../model/call-event.entity.js'
import { eventOf } from '../model/call-events.js'
import type { CallRecorder } from '../model/call-recorder.js'
import type { CallStore } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'
import type { DurableWrites } from '../model/durable-writes.js'

interface Numbers {
  phoneNumber(call: Call): Promise<PhoneNumber | null>
}

interface Services extends Numbers {
  readonly actions: { readonly recorder: CallRecorder }
  readonly store: Pick<CallStore, 'note'>
  readonly log: Logger
}

/** True if the calling number records its outbound calls. */
export async function isRecordedByNumber(call: Call, numbers: Numbers): Promise<boolean> {
  return call.direction === 'outbound' && ((await numbers.phoneNumber(call))?.record_outbound ?? false)
}

/**
 * Records an answered call if its number says so. If that fails the call continues, and its timeline shows the failure.
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
    services.log.warn(
      { event: 'recording.start_failed', err: error, call: call.id },
      'recording a call failed',
    )
    const note = eventOf(call, 'call.action', new Date(), { details: recordingFailure(error) })
    void writes.add(async () => services.store.note(note))
  }
}

/** Timeline entry of a call that should have been recorded, but was not. */
export function recordingFailed(call: Call, at: Date): CallEvent {
  return eventOf(call, 'call.action', at, { details: recordingFailure(null) })
}

/** Timeline entry of a recording that did not start. */
export function recordingFailure(error: unknown): object {
  const problem = error instanceof RecordingProblem ? { problem: error.message } : {}
  return { action: 'recording', outcome: 'failed', ...problem }
}
