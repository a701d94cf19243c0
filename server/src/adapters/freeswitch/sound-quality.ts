/** Quality of the audio received from a channel's far end, as the switch reports it at the channel's end. */
import type { SwitchEvent } from './switch-event.js'

/**
 * @returns `mos` (1 to 5; the switch's estimate from loss and jitter) is null where no sound came in; `lostPackets` of RTP
 */
export function soundOf(event: SwitchEvent): { mos: number | null; lostPackets: number } {
  const count = (name: string) => Number(event.variable(`rtp_audio_in_${name}`) ?? 0) || 0
  const heard = count('media_packet_count') > 0
  return { mos: heard ? count('mos') || null : null, lostPackets: count('skip_packet_count') }
}
