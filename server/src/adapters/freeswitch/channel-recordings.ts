/**
 * Recordings of channels: files that FreeSWITCH itself writes, whatever else the channel does (mod_dptools,
 * record_session). A recording needs no server once it has begun: it ends when it is stopped, at its limits or with the
 * channel. Its file identifies it.
 */
import { EventEmitter } from 'node:events'
import { SwitchRefusedError } from './errors.js'
import type { SwitchEvent } from './switch-event.js'
import type { SwitchLink } from './switch-link.js'

export interface ChannelRecordingOptions {
  /** `both`: the channel's party and what they hear, mixed; `apart`: the party left, what they hear right. */
  readonly sides: 'both' | 'apart' | 'party'
  /** Seconds after which it ends by itself, in whole seconds of the switch's clock: up to one less. */
  readonly maxSeconds: number
  /** Ends it when the party is silent. */
  readonly silence?: {
    /** Milliseconds of silence at the beginning. */
    readonly atFirst: number
    /** Milliseconds of silence after something was said. */
    readonly after: number
    /** Mean amplitude, of 32,767, below which it is silent. */
    readonly threshold: number
  }
}

/** Why a recording has ended, in the switch's words: `success-silence`, `no-input-timeout`, `success-maxtime`, … */
export interface EndedChannelRecording {
  readonly channelId: string
  readonly file: string
  readonly cause: string
  readonly at: Date
}

interface Events {
  ended: [recording: EndedChannelRecording]
  /** The switch is reached again: ends of recordings may have been missed. */
  reachable: []
}

export class ChannelRecordings extends EventEmitter<Events> {
  constructor(private readonly link: SwitchLink) {
    super()
    this.setMaxListeners(0)
    link.on('up', () => this.emit('reachable'))
    link.on('event', (event) => {
      if (event.name === 'RECORD_STOP') this.emit('ended', endOf(event))
    })
  }

  /**
   * Begins a recording; harmless when it has begun already.
   * @param file a path without blanks, whose folder is there
   * @throws {SwitchRefusedError} when there is no such channel or it has no media
   */
  async begin(channelId: string, file: string, options: ChannelRecordingOptions): Promise<void> {
    const { sides, maxSeconds, silence } = options
    const variables = {
      // The switch would pass over the first 25 frames: half a second.
      RECORD_PRE_BUFFER_FRAMES: '0',
      RECORD_STEREO: String(sides === 'apart'),
      RECORD_READ_ONLY: String(sides === 'party'),
      // The switch's default discards recordings of less than three seconds.
      RECORD_MIN_SEC: '0',
      ...(silence && {
        RECORD_INITIAL_TIMEOUT_MS: String(silence.atFirst),
        RECORD_FINAL_TIMEOUT_MS: String(silence.after),
        RECORD_SILENCE_THRESHOLD: String(silence.threshold),
      }),
    }
    const pairs = Object.entries(variables).filter(([, value]) => value !== 'false')
    const list = pairs.map(([name, value]) => `${name}=${value}`).join(',')
    await this.link.api(`uuid_record ${channelId} start ${file} ${maxSeconds} {${list}}`)
  }

  /** Ends a recording; harmless when it has ended. */
  async end(channelId: string, file: string): Promise<void> {
    await this.link.api(`uuid_record ${channelId} stop ${file}`).catch((error: unknown) => {
      if (!(error instanceof SwitchRefusedError)) throw error
    })
  }

  /** Records silence in place of the audio. @throws {SwitchRefusedError} when the recording has ended */
  async mask(channelId: string, file: string): Promise<void> {
    await this.link.api(`uuid_record ${channelId} mask ${file}`)
  }

  /** Records the audio again. @throws {SwitchRefusedError} when the recording has ended */
  async unmask(channelId: string, file: string): Promise<void> {
    await this.link.api(`uuid_record ${channelId} unmask ${file}`)
  }

  /** A variable of a channel; undefined when it has none of that name, or has ended. */
  async variable(channelId: string, name: string): Promise<string | undefined> {
    const value = await this.link.api(`uuid_getvar ${channelId} ${name}`).catch((error: unknown) => {
      if (error instanceof SwitchRefusedError) return '_undef_'
      throw error
    })
    return value.trim() === '_undef_' ? undefined : value.trim()
  }

  /** Whether a channel is recorded to a file now. */
  async isRunning(channelId: string, file: string): Promise<boolean> {
    const taps = await this.link.api(`uuid_buglist ${channelId}`).catch((error: unknown) => {
      if (error instanceof SwitchRefusedError) return ''
      throw error
    })
    return taps.includes(`<target>${file}</target>`)
  }
}

function endOf(event: SwitchEvent): EndedChannelRecording {
  return {
    channelId: event.channelId ?? '',
    file: event.get('Record-File-Path') ?? '',
    cause: event.get('Record-Completion-Cause') ?? '',
    at: event.date,
  }
}
