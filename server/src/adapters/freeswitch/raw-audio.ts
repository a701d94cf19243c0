/** Sound of a leg that ends in this process, as 16-bit samples. */
import type { EventEmitter } from 'node:events'
import type { SampleRate } from '../../lib/sound/sample-rate.js'

/** Of every frame, in milliseconds. */
export const frameMs = 20

export interface RawAudioEvents {
  /**
   * Audio from the far end, 20 ms, mono. Frames come in real time, and none while the leg is not bridged.
   */
  frame: [samples: Int16Array]
  /** Audio that is played now, 20 ms: silence if nothing is queued. */
  sent: [samples: Int16Array]
  /** The queue has been played. */
  drained: []
  /** The leg is over: no frame comes, and nothing is played any more. */
  ended: []
}

export interface RawAudio extends EventEmitter<RawAudioEvents> {
  readonly sampleRate: SampleRate
  /**
   * Queues sound for the far end, which hears it at the pace of speech, and silence where nothing is queued.
   * @returns how many samples did not fit, and are dropped
   */
  write(samples: Int16Array): number
  /** Clears the queue: the far end hears silence from the next frame on. */
  clear(): void
  /** How many samples have been taken to be queued, and how many of them were played or cleared, since the leg was up. */
  readonly written: number
  readonly played: number
  /** Milliseconds that are queued. */
  readonly queuedMs: number
  /** Closes the socket; harmless when it is closed. */
  close(): void
}
