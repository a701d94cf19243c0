/** Messages between the server's thread and the one that analyses sound. */

/** 20 ms of a stream. */
export interface FrameToJudge {
  readonly stream: number
  /** Sound of the caller. */
  readonly heard: Int16Array
  /** Sound that has been played to them since the previous frame. */
  readonly sent: Int16Array
}

export interface JudgedFrame {
  /** Probability that the caller speaks, from 0 to 1. */
  readonly probability: number
  /** Whether it is what was played to the caller, on its way back. */
  readonly isEcho: boolean
  /** Whether the caller hears something at this moment, or has until a moment ago. */
  readonly isPlaying: boolean
}

export type ToAnalysis =
  | { readonly kind: 'open'; readonly stream: number; readonly rate: number }
  | { readonly kind: 'close'; readonly stream: number }
  | { readonly kind: 'frames'; readonly frames: readonly FrameToJudge[] }
  /** Next samples of an utterance whose noise is to be removed. */
  | {
      readonly kind: 'clean'
      readonly stream: number
      readonly utterance: number
      readonly samples: Int16Array
    }

export type FromAnalysis =
  | { readonly kind: 'ready' }
  /** One for each frame of a stream, in order. */
  | { readonly kind: 'judged'; readonly frames: readonly (JudgedFrame & { readonly stream: number })[] }
  /** The next samples of the utterance, in order. */
  | {
      readonly kind: 'cleaned'
      readonly stream: number
      readonly utterance: number
      readonly samples: Int16Array
    }
