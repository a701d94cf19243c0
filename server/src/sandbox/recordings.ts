/**
 * Recordings of a channel, as mod_dptools makes them: real WAV files of the right length, which hold a tone of 400 Hz
 * where a caller would be heard, and silence where the recording was masked.
 */
import { assignments } from './dial-string.js'
import type { SimulatedChannel } from './simulated-channel.js'
import { writeToneFile } from './tone-file.js'

interface Recording {
  file: string
  startedAt: number
  stereo: boolean
  /** Stretches of silence, in milliseconds from the start; the last one may be open. */
  masked: { from: number; to: number }[]
  /** Milliseconds that are left out at the beginning. */
  skipped: number
  variables: readonly [string, string][]
  stopTimer: () => void
}

/** FreeSWITCH skips this many frames of 20 ms at the beginning unless RECORD_PRE_BUFFER_FRAMES says otherwise. */
const PRE_BUFFER_FRAMES = 25

export class Recordings {
  readonly #running = new Map<string, Recording>()

  constructor(private readonly channel: SimulatedChannel) {}

  get files(): string[] {
    return [...this.#running.keys()]
  }

  /**
   * Begins a recording, unless it runs already. A caller without media yet gets early media.
   * @param seconds 0 for no limit; counted in whole seconds of the clock, as FreeSWITCH does
   * @param options `{name=value,…}`
   */
  start(file: string, seconds: number, options: string): void {
    if (this.#running.has(file)) return
    const { channel } = this
    channel.preAnswer()
    const variables = assignments(options.replace(/^\{|\}$/g, ''))
    const given = new Map(variables)
    const read = (name: string) => given.get(name) ?? channel.variables.get(name)
    const recording: Recording = {
      file,
      startedAt: performance.now(),
      stereo: read('RECORD_STEREO') === 'true',
      masked: [],
      skipped: Number(read('RECORD_PRE_BUFFER_FRAMES') ?? PRE_BUFFER_FRAMES) * 20,
      variables,
      stopTimer: () => {},
    }
    this.#running.set(file, recording)
    channel.emit('RECORD_START', headersOf(recording))
    if (seconds > 0) {
      const ms = seconds * 1000 - (Date.now() % 1000)
      recording.stopTimer = channel.timers.after(ms, () => this.stop(file))
    }
  }

  /** @returns false when there is none */
  stop(file: string): boolean {
    const recording = this.#running.get(file)
    if (recording) this.#end(recording, 'success-maxtime')
    return recording !== undefined
  }

  /** @returns false when there is none */
  mask(file: string, masked: boolean): boolean {
    const recording = this.#running.get(file)
    if (!recording) return false
    const at = performance.now() - recording.startedAt
    const last = recording.masked.at(-1)
    const open = last?.to === Infinity
    if (masked && !open) recording.masked.push({ from: at, to: Infinity })
    if (!masked && open) last.to = at
    return true
  }

  /** The channel ends. */
  endAll(): void {
    for (const recording of this.#running.values()) this.#end(recording, 'success-silence')
  }

  #end(recording: Recording, cause: string): void {
    this.#running.delete(recording.file)
    recording.stopTimer()
    const { file, stereo, skipped, masked, startedAt } = recording
    const ms = Math.max(0, Math.round(performance.now() - startedAt - skipped))
    const silent = masked.map(({ from, to }) => ({ from: from - skipped, to: to - skipped }))
    const bytes = writeToneFile(file, ms, stereo ? 2 : 1, silent)
    const { channel } = this
    const variables = {
      record_file_size: bytes,
      record_samples: ms * 8,
      record_seconds: Math.floor(ms / 1000),
      record_ms: ms,
      record_completion_cause: cause,
    }
    for (const [name, value] of Object.entries(variables)) channel.set(name, String(value))
    channel.emit('RECORD_STOP', { ...headersOf(recording), 'Record-Completion-Cause': cause })
  }
}

function headersOf({ file, variables }: Recording): Record<string, string> {
  const named = variables.map(([name, value]) => [`Recording-Variable-${name}`, value])
  return { 'Record-File-Path': file, ...(Object.fromEntries(named) as Record<string, string>) }
}
