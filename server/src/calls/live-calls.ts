/**
 * Finding live calls for who asks for something to be done with one. After a start, or after the link to the switch was
 * lost, it takes a moment until they are taken up: whoever asks meanwhile waits for that.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '../http/errors.js'
import { SwitchDownError, SwitchTimeoutError } from '../switch/errors.js'
import type { LiveCall } from './live-call.js'

/** What the API's document says of the 503. */
export const takingUp = 'The server has just started, and takes up the calls that go on'

interface Sessions {
  /** Whether it will be known in a moment what becomes of a call. */
  isSettling(callId: string): boolean
  find(callId: string): LiveCall | undefined
}

/** Nobody waits longer, in milliseconds. */
const waitMs = 5_000

const lookMs = 50

/** Of more requests at once the others are asked to come again. */
const maxWaiting = 1_000

/** Seconds after which to come again. */
const retryAfter = 1

export class LiveCalls {
  private waiting = 0

  constructor(private readonly sessions: Sessions) {}

  /** What runs for a call in this moment. */
  known(callId: string): LiveCall | undefined {
    return this.sessions.find(callId)
  }

  /** @throws {UnavailableError} 503 when it is not known in time what became of the call */
  async find(callId: string): Promise<LiveCall | undefined> {
    await this.until(() => !this.sessions.isSettling(callId))
    return this.sessions.find(callId)
  }

  /** Waits for something that comes when calls are taken up. @throws {UnavailableError} 503 when it does not in time */
  async until(known: () => boolean): Promise<void> {
    if (known()) return
    const until = Date.now() + waitMs
    if (this.waiting >= maxWaiting) throw notReady()
    this.waiting++
    try {
      while (!known()) {
        if (Date.now() > until) throw notReady()
        await sleep(lookMs)
      }
    } finally {
      this.waiting--
    }
  }
}

/** Runs what needs the switch. @throws {UnavailableError} 503 when the link to it is lost meanwhile */
export async function overSwitch<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SwitchDownError || error instanceof SwitchTimeoutError) throw notReady()
    throw error
  }
}

function notReady(): UnavailableError {
  return new UnavailableError('The calls that go on are being taken up: try again in a moment', retryAfter)
}
