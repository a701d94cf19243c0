/** The switch: FreeSWITCH or the sandbox, by its own status. Only the server that is linked to it knows. */
import type { Registry } from 'prom-client'
import { statusIn, switchLoadIn } from '../../adapters/freeswitch/switch-status.js'
import { Reading } from './instruments.js'
import type { MeasuredPart } from './part.js'

interface Link {
  api(command: string): Promise<string>
}

export function switchPart(registry: Registry, link: Link): MeasuredPart {
  const define = (kind: 'now' | 'total', name: string, help: string) =>
    new Reading(registry, kind, { name: `switch_${name}`, help })
  const channels = define('now', 'channels', 'Live channels: one for each leg of a call')
  const most = define('now', 'channels_max', 'Channels that the switch allows at once')
  const begun = define('total', 'channels_begun_total', 'Channels created since the switch started')
  const rate = define('now', 'channels_per_second', 'Channels created in the last second')
  const maxRate = define(
    'now',
    'channels_per_second_max',
    'Channels that the switch allows to be created in a second',
  )
  const idle = define('now', 'cpu_idle_ratio', 'Idle share of the CPU of the switch’s machine, 0 to 1')
  const uptime = define('now', 'uptime_seconds', 'Time since the switch started')
  return {
    name: 'switch',
    readings: [channels, most, begun, rate, maxRate, idle, uptime],
    async ask() {
      const text = await link.api('status')
      const status = statusIn(text)
      const load = switchLoadIn(text)
      return () => {
        channels.put(status.channels)
        most.put(status.max_channels)
        begun.put(status.channels_begun)
        uptime.put(status.uptime_seconds)
        rate.put(load.perSecond)
        maxRate.put(load.maxPerSecond)
        idle.put(load.idleRatio)
      }
    },
  }
}
