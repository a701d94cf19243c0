/** Keys that a caller presses while they talk with a voice agent: reported together once they pause. */
import type { Channel } from '../../../adapters/freeswitch/channel.js'

/** A pause after which no further key belongs to those before. */
const joinMs = 1_500

/** This key usually ends the input. */
const lastKey = '#'
const lastMs = 300

/** Keys that are reported at once, at most. */
const maxKeys = 32

interface Options {
  /** Whether keys are for something else now: a tool that collects them. */
  isTaken(): boolean
  /** The first key of several: whatever the caller hears may stop. */
  begin(): void
  /** Called with the keys that were pressed. */
  pressed(keys: string): void
}

export class CallerKeys {
  private channel: Channel | undefined
  private keys = ''
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly options: Options) {}

  /** Listens to the keys of this channel, and of no other. */
  follow(channel: Channel | undefined): void {
    if (channel === this.channel) return
    this.channel?.off('digit', this.press)
    this.channel = channel
    channel?.on('digit', this.press)
  }

  /** Reports the keys that were pressed so far. */
  flush(): void {
    clearTimeout(this.timer)
    const { keys } = this
    this.keys = ''
    if (keys !== '') this.options.pressed(keys)
  }

  close(): void {
    clearTimeout(this.timer)
    this.keys = ''
    this.follow(undefined)
  }

  private readonly press = (key: string): void => {
    const { channel } = this
    if (!channel || this.options.isTaken()) return
    // The key is used here, so that the next action does not find it typed ahead.
    channel.keys.giveBack(channel.keys.take().slice(0, -1))
    if (this.keys === '') this.options.begin()
    this.keys += key
    clearTimeout(this.timer)
    if (this.keys.length >= maxKeys) this.flush()
    else this.timer = setTimeout(() => this.flush(), key === lastKey ? lastMs : joinMs)
  }
}
