/** Sounds for the party of a channel, whatever the channel does meanwhile: parked, playing, or bridged. */
import { EventEmitter } from 'node:events'
import { SwitchRefusedError } from './errors.js'
import type { SwitchLink } from './switch-link.js'

interface Events {
  bridged: [channelId: string, otherId: string]
}

export class ChannelSounds extends EventEmitter<Events> {
  constructor(private readonly link: SwitchLink) {
    super()
    link.on('event', (event) => {
      const other = event.name === 'CHANNEL_BRIDGE' ? event.get('Other-Leg-Unique-ID') : undefined
      if (other && event.channelId) this.emit('bridged', event.channelId, other)
    })
  }

  /** The channel that it is bridged to; undefined: it is not bridged, or has ended. */
  async partnerOf(channelId: string): Promise<string | undefined> {
    const value = await this.harmless(`uuid_getvar ${channelId} signal_bond`)
    return value && /^[0-9a-f-]{36}$/.test(value) ? value : undefined
  }

  /** Plays in place of what the party hears; what plays already continues after it. Harmless after the channel's end. */
  async play(channelId: string, source: string): Promise<void> {
    await this.harmless(`uuid_broadcast ${channelId} ${source} aleg`)
  }

  /** Mixes a sound into what the party of a bridged channel hears. Harmless after the channel's end. */
  async mix(channelId: string, source: string): Promise<void> {
    await this.harmless(`uuid_displace ${channelId} start ${source} 0 mux`)
  }

  private async harmless(command: string): Promise<string | undefined> {
    return this.link.api(command).then(
      (answer) => answer.trim(),
      (error: unknown) => {
        if (error instanceof SwitchRefusedError) return undefined
        throw error
      },
    )
  }
}
