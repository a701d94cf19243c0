/** The link to the switch, and how well channels were heard. */
import type { Registry } from 'prom-client'
import { topics } from '../../infrastructure/observability/telemetry.js'
import { counter, histogram, quick } from './instruments.js'

const mosBounds = [1, 2, 2.5, 3, 3.3, 3.6, 3.8, 4, 4.2, 4.4, 4.5]

/** @returns ends the measuring */
export function switchMetrics(registry: Registry): (() => void)[] {
  const commands = histogram(
    registry,
    {
      name: 'switch_command_duration_seconds',
      help: 'Time until the switch answers a command; failed: it refused or timed out',
      labels: ['failed'],
    },
    quick,
  )
  const lag = histogram(
    registry,
    {
      name: 'switch_event_lag_seconds',
      help: 'Time from an event in the switch to its arrival in the server, by both clocks',
    },
    quick,
  )
  const channels = counter(registry, { name: 'switch_channels_ended_total', help: 'Channels that ended' })
  const sound = histogram(
    registry,
    {
      name: 'switch_channel_mos',
      help: 'Audio quality (MOS) of a channel as received, 1 to 5: the switch’s estimate from loss and jitter',
    },
    mosBounds,
  )
  const lost = counter(registry, {
    name: 'switch_rtp_packets_lost_total',
    help: 'RTP packets of ended channels that were lost or came too late',
  })
  return [
    topics.switchCommand.subscribe(({ failed, seconds }) =>
      commands.observe({ failed: String(failed) }, seconds),
    ),
    topics.switchEvent.subscribe(({ seconds }) => lag.observe(seconds)),
    topics.channelEnded.subscribe(({ mos, lostPackets }) => {
      channels.inc()
      if (mos !== null) sound.observe(mos)
      if (lostPackets > 0) lost.inc(lostPackets)
    }),
  ]
}
