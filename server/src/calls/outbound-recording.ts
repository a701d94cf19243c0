/** Calls that go out with a number which has them recorded. */
import type { Logger } from 'pino'
import type { PhoneNumber } from '../phone-numbers/phone-number.entity.js'
import type { Channel } from '../switch/channel.js'
import type { CallRecorder } from './call-recorder.js'
import type { Call } from './call.entity.js'

interface Services {
  readonly actions: { readonly recorder: CallRecorder }
  phoneNumber(call: Call): Promise<PhoneNumber | null>
  readonly log: Logger
}

/** Records an answered call if its number says so; the call goes on whatever becomes of that. */
export async function recordOutbound(call: Call, channel: Channel, services: Services): Promise<void> {
  const { recorder } = services.actions
  if (call.direction !== 'outbound') return
  try {
    if (!(await services.phoneNumber(call))?.record_outbound || !(await recorder.mayRecord(call))) return
    await recorder.begin(call, channel, { format: 'wav', stereo: false })
  } catch (error) {
    services.log.warn({ err: error, call: call.id }, 'a call is not recorded')
  }
}
