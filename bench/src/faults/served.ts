/** Whether a call went as it was to go, by what its far end saw. */
import type { FarCall } from './far-call.js'

/** Seconds that Jackfield plays to an answered call before it hangs up. */
export const talkSeconds = 5

/** Seconds after which half of the far ends hang up themselves: see bench/sipp/fault-*.xml. */
export const leaveSeconds = 3

/** Of clocks, and of a message's way. */
const slackMs = 700

export type Ending = 'served' | 'refused' | 'cut'

/** `refused`: it was never answered; `cut`: it was, and ended before it was to. */
export function endingOf(call: FarCall | undefined): Ending {
  if (call?.acknowledgedAt == null) return 'refused'
  if (call.byeAt === null) return 'cut'
  const lastedMs = call.byeAt - call.acknowledgedAt
  if (call.byeBy === 'jackfield') return lastedMs >= talkSeconds * 1000 - slackMs ? 'served' : 'cut'
  return call.byeStatus === 200 ? 'served' : 'cut'
}
