/** Collects DTMF keys of a caller, including those typed ahead. */
import type { Collected } from '../model/script-results.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import { type ChannelEnd, ChannelEndedError } from '../../../adapters/freeswitch/channel-end.js'
import { SwitchDownError } from '../../../adapters/freeswitch/errors.js'

export interface CollectOptions {
  /** Milliseconds without a key, after the prompt and after each key. */
  timeoutMs: number
  maxDigits: number
  /** The key that ends the collection and is not part of the digits; null if every key counts. */
  terminator: '#' | '*' | null
  /** File to play until the first key. */
  prompt?: string
}

/**
 * Ends at the terminator, at `maxDigits`, on timeout, or at the signal (as `timeout`).
 * @throws {ChannelEndedError | SwitchDownError}
 */
export async function collect(
  channel: Channel,
  options: CollectOptions,
  signal: AbortSignal,
): Promise<Collected> {
  const keys = new Keys(channel, options)
  try {
    if (options.prompt !== undefined && !keys.any) {
      const stop = AbortSignal.any([signal, keys.firstKey])
      await channel.play(options.prompt, stop)
    }
    return await keys.rest(signal)
  } finally {
    keys.close()
  }
}

class Keys {
  private digits = ''
  private done = false
  private readonly first = new AbortController()
  private wake: () => void = () => undefined

  constructor(
    private readonly channel: Channel,
    private readonly options: CollectOptions,
  ) {
    const ahead = channel.keys.take()
    let used = 0
    while (used < ahead.length && !this.done) this.press(ahead[used++] ?? '')
    channel.keys.giveBack(ahead.slice(used))
    if (!this.done) channel.on('digit', this.listen)
  }

  get any(): boolean {
    return this.first.signal.aborted
  }

  /** Aborted by the first key. */
  get firstKey(): AbortSignal {
    return this.first.signal
  }

  close(): void {
    this.channel.off('digit', this.listen)
  }

  /** Waits for enough keys, or for the timeout. */
  async rest(signal: AbortSignal): Promise<Collected> {
    const { channel, options } = this
    if (this.done) return { digits: this.digits, status: 'completed' }
    if (channel.end) throw new ChannelEndedError(channel.end)
    return new Promise((resolve, reject) => {
      const settle = (result: () => void) => {
        clearTimeout(timer)
        channel.off('ended', ended)
        channel.off('abandoned', abandoned)
        signal.removeEventListener('abort', late)
        this.close()
        result()
      }
      const late = () => settle(() => resolve({ digits: this.digits, status: 'timeout' }))
      const ended = (end: ChannelEnd) => settle(() => reject(new ChannelEndedError(end)))
      const abandoned = () => settle(() => reject(new SwitchDownError()))
      const timer = setTimeout(late, options.timeoutMs)
      this.wake = () => {
        if (this.done) settle(() => resolve({ digits: this.digits, status: 'completed' }))
        else timer.refresh()
      }
      channel.on('ended', ended)
      channel.on('abandoned', abandoned)
      signal.addEventListener('abort', late)
      if (signal.aborted) late()
      else if (this.done) this.wake()
    })
  }

  private readonly listen = (): void => {
    // Takes only what is used: keys after the last one are typed ahead for the next prompt.
    const [key = '', ...later] = this.channel.keys.take()
    this.channel.keys.giveBack(later.join(''))
    this.press(key)
    if (this.done) this.close()
    this.wake()
  }

  private press(key: string): void {
    this.first.abort()
    if (key === this.options.terminator) this.done = true
    else {
      this.digits += key
      this.done = this.digits.length >= this.options.maxDigits
    }
  }
}
