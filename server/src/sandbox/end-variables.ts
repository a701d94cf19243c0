/** The variables that FreeSWITCH sets when a channel has ended: cause, times, durations. */
import { q850Number } from './causes.js'
import { stamp } from './event-bus.js'
import type { SimulatedChannel } from './simulated-channel.js'

export function endVariables(channel: SimulatedChannel): [string, string][] {
  const { created, answered, bridged, progress, progressMedia, hangup } = channel.times
  const moments = {
    start: created,
    profile_start: created,
    answer: answered,
    bridge: bridged,
    progress,
    progress_media: progressMedia,
    end: hangup,
  }
  const since = (from: number, to: number) => (from > 0 ? to - from : 0)
  const second = (us: number) => Math.floor(us / 1e6)
  const billed = since(answered, hangup)
  return [
    ['hangup_cause', channel.cause],
    ['hangup_cause_q850', String(q850Number(channel.cause))],
    ['digits_dialed', 'none'],
    ...Object.entries(moments).flatMap(([name, us]): [string, string][] => [
      ...(us > 0 ? [[`${name}_stamp`, stamp(us)] as [string, string]] : []),
      [`${name}_epoch`, String(second(us))],
      [`${name}_uepoch`, String(us)],
    ]),
    // Whole seconds are the difference of whole seconds, as FreeSWITCH counts them.
    ['duration', String(second(hangup) - second(created))],
    ['billsec', String(answered > 0 ? second(hangup) - second(answered) : 0)],
    ['mduration', String(Math.round((hangup - created) / 1000))],
    ['billmsec', String(Math.round(billed / 1000))],
    ['uduration', String(hangup - created)],
    ['billusec', String(billed)],
  ]
}
