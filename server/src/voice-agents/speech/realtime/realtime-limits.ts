/** How long a provider may take, and how much it may send. */
export interface RealtimeLimits {
  /** A sign of life is asked for so often; a server that gives none until the next time is gone. */
  readonly pingMs: number
  /** A response that is owed or under way brings something within this time. */
  readonly answerMs: number
  /** After the caller has paused, the server's own response begins within this time, or does not come. */
  readonly turnMs: number
  /** A response that failed is asked for again after this time, then after twice as long, and so on. */
  readonly retryMs: number
  /** Also where the server asks for more. */
  readonly maxRetryMs: number
  /** A server that takes in so little that this waits for it is too slow: four seconds of speech. */
  readonly maxUnsentBytes: number
  /** Of one event that comes: a minute of speech. */
  readonly maxEventBytes: number
}

export const realtimeLimits: RealtimeLimits = {
  pingMs: 10_000,
  answerMs: 20_000,
  turnMs: 5_000,
  retryMs: 300,
  maxRetryMs: 4_000,
  maxUnsentBytes: 262_144,
  maxEventBytes: 4_194_304,
}
