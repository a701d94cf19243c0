/**
 * What is recorded of one channel. Nobody speaks on simulated lines: the files hold silence of the right length, and
 * the limits of silence that FreeSWITCH has are not kept, so that a message can be left.
 */
import { truncateSync, writeFileSync } from 'node:fs'
import type { Headers } from './event-bus.js'
import type { Timers } from './timers.js'

const rate = 8_000

interface Running {
  readonly channels: number
  readonly begun: number
  readonly cancelLimit: () => void
}

export class Recordings {
  readonly #running = new Map<string, Running>()

  constructor(
    private readonly timers: Timers,
    private readonly emit: (name: string, headers: Headers) => void,
  ) {}

  get files(): string[] {
    return [...this.#running.keys()]
  }

  /** @returns whether the file can be written */
  begin(file: string, { channels = 1, seconds = 0 }): boolean {
    if (this.#running.has(file)) return true
    try {
      writeFileSync(file, wavHeader(channels, 0))
    } catch {
      return false
    }
    const end = () => this.end(file, 'success-maxtime')
    const cancelLimit = seconds > 0 ? this.timers.after(seconds * 1000, end) : () => undefined
    this.#running.set(file, { channels, begun: performance.now(), cancelLimit })
    this.emit('RECORD_START', { 'Record-File-Path': file })
    return true
  }

  /** @returns whether it was being written */
  end(file: string, cause = 'success-maxtime'): boolean {
    const running = this.#running.get(file)
    if (!running) return false
    this.#running.delete(file)
    running.cancelLimit()
    const frames = Math.round(((performance.now() - running.begun) / 1000) * rate)
    const bytes = frames * 2 * running.channels
    writeFileSync(file, wavHeader(running.channels, bytes))
    truncateSync(file, wavHeader(1, 0).length + bytes)
    this.emit('RECORD_STOP', { 'Record-File-Path': file, 'Record-Completion-Cause': cause })
    return true
  }

  endAll(): void {
    for (const file of this.files) this.end(file, 'success-silence')
  }
}

function wavHeader(channels: number, dataBytes: number): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + dataBytes, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * channels * 2, 28)
  head.writeUInt16LE(channels * 2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(dataBytes, 40)
  return head
}
