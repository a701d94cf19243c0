/** Counters in Redis. While Redis is down or slow, nothing is counted there, and no request waits for it. */
import type { Redis } from 'ioredis'
import type { SharedCounters } from '../../infrastructure/http/shared-counters.js'

/** The first count begins the window, in one step with it: a counter without an end would never be forgotten. */
const countScript = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}`

/** Redis answers in less than a millisecond, or is not asked for a while. */
const patienceMs = 300
const pauseMs = 1_000

const slow = Symbol('slow')

export class RedisCounters implements SharedCounters {
  private pausedUntil = 0

  /** @param prefix of this appliance; others may use the same Redis */
  constructor(
    private readonly redis: Redis,
    private readonly prefix: string,
  ) {}

  async add(name: string, windowMs: number): Promise<{ count: number; endsInMs: number } | null> {
    const answer = await this.ask(async () => this.redis.eval(countScript, 1, this.prefix + name, windowMs))
    if (!answer) return null
    const [count, endsInMs] = answer as [number, number]
    return { count, endsInMs }
  }

  async clear(name: string): Promise<void> {
    await this.ask(async () => this.redis.del(this.prefix + name))
  }

  private async ask(command: () => Promise<unknown>): Promise<unknown> {
    if (this.redis.status !== 'ready' || Date.now() < this.pausedUntil) return null
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<typeof slow>((resolve) => {
      timer = setTimeout(() => {
        // Where this process was what is slow, the answer is there and is read first.
        setImmediate(() => resolve(slow))
      }, patienceMs)
    })
    // What Redis refuses in the moment in which it goes away is counted here alone.
    const asked = command().catch(() => null)
    const answer = await Promise.race([asked, late])
    clearTimeout(timer)
    if (answer !== slow) return answer
    this.pausedUntil = Date.now() + pauseMs
    return null
  }
}
