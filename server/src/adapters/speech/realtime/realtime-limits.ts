/** Deadlines of providers, and limits of what they send. */
export interface RealtimeLimits {
  /** Interval of WebSocket pings; a server that has not answered one by the next is gone. */
  readonly pingMs: number
  /** A response that is awaited or under way sends something within this time. */
  readonly answerMs: number
  /** After the caller has paused, the server's own response begins within this time, or does not come. */
  readonly turnMs: number
  /** A response that failed is asked for again after this time, then after twice as long, and so on. */
  readonly retryMs: number
  /** Longest wait before a retry, also if the server asks for a longer one. */
  readonly maxRetryMs: number
  /** Unsent bytes at which the server counts as too slow: four seconds of speech. */
  readonly maxUnsentBytes: number
  /** Largest incoming event: a minute of speech. */
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
