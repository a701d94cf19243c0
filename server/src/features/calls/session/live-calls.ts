/**
 * Finds live calls for requests. After a start, or after the connection to the switch was lost, recovery takes a
 * moment: requests wait for it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '../../../infrastructure/http/errors.js'
import { SwitchDownError, SwitchTimeoutError } from '../../../adapters/freeswitch/errors.js'
import type { LiveCall } from './live-call.js'

/** Description of the 503 in the OpenAPI document. */
export const recoveringCalls = 'The server has just started and is recovering live calls'

interface Sessions {
  /** True if the state of the call will be known in a moment. */
  isSettling(callId: string): boolean
  find(callId: string): LiveCall | undefined
}

/** The longest wait, in milliseconds. */
const waitMs = 5_000

const lookMs = 50

/** If more requests wait, the others get a 503. */
const maxWaiting = 1_000

/** Retry-After, in seconds. */
const retryAfter = 1

export class LiveCalls {
  private waiting = 0

  constructor(private readonly sessions: Sessions) {}

  /** The session of a call, if there is one now. */
  known(callId: string): LiveCall | undefined {
    return this.sessions.find(callId)
  }

  /** @throws {UnavailableError} 503 if the state of the call is not known in time */
  async find(callId: string): Promise<LiveCall | undefined> {
    await this.until(() => !this.sessions.isSettling(callId))
    return this.sessions.find(callId)
  }

  /**
   * Waits for a condition that recovery fulfils.
   * @throws {UnavailableError} 503 if it does not in time
   */
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

/**
 * Runs work that needs the switch.
 * @throws {UnavailableError} 503 if the connection to it is lost meanwhile
 */
export async function overSwitch<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SwitchDownError || error instanceof SwitchTimeoutError) throw notReady()
    throw error
  }
}

function notReady(): UnavailableError {
  return new UnavailableError('The server is recovering live calls: try again in a moment', retryAfter)
}
