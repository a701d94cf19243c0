/**
 * A stream in the background of a call, from the connection to the customer's server to the end. Its audio comes from a
 * tap of the script leg, which is reopened when another leg replaces that one, and after the connection to the switch
 * was lost; the connection to the server stays open.
 */
import type { Logger } from 'pino'
import type { GuardedSockets } from '../../../infrastructure/http-client/guarded-sockets.js'
import { Resampler } from '../../../lib/sound/resampler.js'
import type { Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import { CustomerSocket, type StreamEnd, StreamRefusedError } from './customer-socket.js'
import { FrameCutter } from './pcm.js'
import type { StreamHost } from './stream-host.js'
import { type StreamSettings, streamUrl } from './stream-settings.js'
import { Tap } from './tap.js'

interface Options {
  readonly id: string
  readonly settings: StreamSettings
  readonly switchboard: Switchboard
  readonly sockets: GuardedSockets
  readonly log: Logger
  /** The tap has another channel. */
  tapped(channelId: string): void
  ended(end: StreamEnd, frames: { sent: number; dropped: number }): void
}

/** A tap that ended before its channel did is reopened after this. */
const againMs = 500

/** Telephones send up to 3.4 kHz of 4: whatever the filter leaves above that is inaudible. */
const wholeBand = 1

/** Attempts without any audio in between. */
const maxTries = 5

/** A call that is not recovered this long after the connection was lost is over, or belongs to another server. */
const abandonedMs = 60_000

export class BackgroundStream {
  /** Resolves when the stream is over. */
  readonly done: Promise<void>
  private readonly finish: () => void
  private readonly leaving = new AbortController()
  private socket: CustomerSocket | undefined
  private tap: Tap | undefined
  private tapping: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  private tries = 0
  private end: StreamEnd | undefined
  private readonly cutter: FrameCutter
  private readonly sampleRate: 8000 | 16000

  /** @param isResumed whether the previous process started it */
  constructor(
    private host: StreamHost,
    private readonly options: Options,
    isResumed: boolean,
  ) {
    let finish = () => {}
    this.done = new Promise((resolve) => (finish = resolve))
    this.finish = finish
    this.sampleRate = options.settings.sample_rate ?? 8000
    this.cutter = new FrameCutter(this.sampleRate / 50)
    this.follow(host)
    void this.run(isResumed)
  }

  /** This process has recovered the call. */
  resume(host: StreamHost): void {
    this.host = host
    this.follow(host)
    this.tapLine()
  }

  /** Taps the current channel of the script leg. */
  tapLine(): void {
    if (this.end || !this.socket) return
    clearTimeout(this.timer)
    this.tapping = this.tapping.then(async () => this.openTap())
  }

  stop(end: StreamEnd): void {
    if (this.end) return
    this.end = end
    clearTimeout(this.timer)
    this.leaving.abort()
    this.tap?.stop()
    this.socket?.close(end)
    const { sent = 0, dropped = 0 } = this.socket ?? {}
    this.options.ended(end, { sent, dropped })
    // The next process continues the stream, so the script must not.
    if (end === 'restart') return
    this.note('ended', { reason: end })
    this.finish()
  }

  private follow({ over }: StreamHost): void {
    if (over.aborted) this.stop('call_ended')
    else
      over.addEventListener('abort', () => over === this.host.over && this.stop('call_ended'), { once: true })
  }

  private async run(isResumed: boolean): Promise<void> {
    const { settings, sockets, log, id } = this.options
    const { headers = {}, ws_url } = settings
    try {
      const url = streamUrl(ws_url, this.host.call)
      const { signal } = this.leaving
      const socket = await CustomerSocket.open({ sockets, url, headers, signal })
      if (this.end) {
        socket.close(this.end)
        return
      }
      this.socket = socket
      socket.on('closed', (end) => this.stop(end))
      socket.begin()
      if (!isResumed) this.note('started', {})
      this.tapLine()
    } catch (error) {
      if (!(error instanceof StreamRefusedError)) throw error
      log.info(
        { event: 'media_stream.refused', stream: id, call: this.host.call.id, reason: error.message },
        'a stream was refused',
      )
      this.stop(error.end)
    }
  }

  /** Opens a tap of the script leg, replacing the previous one. */
  private async openTap(): Promise<void> {
    const { switchboard, settings, id, log } = this.options
    const { call } = this.host
    this.tap?.stop()
    this.tap = undefined
    if (this.end) return
    try {
      const tap = await Tap.open({
        ...{ switchboard, target: this.host.line(), track: settings.track ?? 'both' },
        ...{ sampleRate: this.sampleRate, maxDuration: call.max_duration },
        recoveryVariables: { jackfield_call: call.id, jackfield_stream: id },
      })
      if (this.end) tap?.stop()
      else if (tap) this.listen(tap)
      else this.tapAgain()
    } catch (error) {
      log.warn(
        { event: 'media_stream.tap_failed', err: error, stream: id, call: call.id },
        'opening the tap of a stream failed',
      )
      this.tapAgain()
    }
  }

  private listen(tap: Tap): void {
    this.tap = tap
    const resampler =
      tap.sampleRate < this.sampleRate ? new Resampler(tap.sampleRate, this.sampleRate, wholeBand) : null
    tap.on('frame', (samples) => {
      this.tries = 0
      for (const frame of this.cutter.cut(resampler ? resampler.push(samples) : samples)) {
        this.socket?.send(frame)
      }
    })
    tap.on('ended', () => this.tapAgain())
    tap.on('abandoned', () => this.wait(abandonedMs, () => this.stop('restart')))
    this.options.tapped(tap.channelId)
  }

  /** The leg may have ended or is being replaced; its event arrives in a moment. */
  private tapAgain(): void {
    if (++this.tries > maxTries) this.stop('no_audio')
    else this.wait(againMs, () => this.tapLine())
  }

  private wait(ms: number, then: () => void): void {
    if (this.end) return
    clearTimeout(this.timer)
    this.timer = setTimeout(then, ms)
  }

  private note(status: 'started' | 'ended', details: object): void {
    this.host.note('call.stream', { stream_id: this.options.id, status, bidirectional: false, ...details })
  }
}
