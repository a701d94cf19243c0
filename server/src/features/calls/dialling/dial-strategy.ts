/** Dials one or more phones for a waiting call: at once, or one after another. */
import type { Outcome } from '../model/outcomes.js'
import type { ConnectOutcome } from '../model/outcomes.js'
import type { Route } from '../routing/route.js'
import { connectOutcomeOf } from '../model/termination.js'
import { race } from './answer-race.js'
import { DialFailedError, type AnsweredLeg } from '../model/answered-leg.js'

export interface DialOptions {
  /** Seconds. */
  ringTimeout: number
  /** Shown to the called party; the call's own caller by default. */
  callerName?: string
  /** The team in whose name its members are rung. */
  teamId?: string
  /** Set if the called party gets the call by transfer. */
  transfer?: { reason: string | null }
  /** Cancels the dial early. */
  signal?: AbortSignal
}

/** Dials destinations for a call. */
export interface CallDialer {
  /** Aborted when the call ends, or another step replaces this one. */
  readonly signal: AbortSignal
  /** @throws {DialFailedError} no answer, {@link SwitchDownError} the connection to the switch was lost meanwhile */
  readonly dial: (route: Route, options: DialOptions) => Promise<AnsweredLeg>
  /** Hangs up a leg that answered but is not needed any more. */
  readonly drop: (reached: AnsweredLeg) => void
  /**
   * Plays ringback to the caller while work runs: the network's own to an unanswered caller, unless a file is named.
   */
  readonly withRingback: <T>(file: string | null, work: () => Promise<T>) => Promise<T>
}

/** Finds and dials a destination for a call, or returns why it failed. */
export type DialStrategy<O extends Outcome = Outcome> = (dialer: CallDialer) => Promise<AnsweredLeg | O>

/** Dials all at once: the first answer wins. */
export async function ringTogether(
  dialer: CallDialer,
  routes: readonly Route[],
  options: Omit<DialOptions, 'signal'>,
): Promise<AnsweredLeg | ConnectOutcome[]> {
  const attempts = routes.map(
    (route) => async (signal: AbortSignal) => dialer.dial(route, { ...options, signal }),
  )
  const result = await race(attempts, { drop: (reached) => dialer.drop(reached) })
  return Array.isArray(result) ? result.map(({ failure }) => connectOutcomeOf(failure)) : result
}

/**
 * Dials one after another until one answers.
 * @param turn called before each is dialled
 */
export async function ringInTurn(
  dialer: CallDialer,
  routes: readonly Route[],
  options: Omit<DialOptions, 'signal'>,
  turn: (index: number) => Promise<void>,
): Promise<AnsweredLeg | ConnectOutcome[]> {
  const outcomes: ConnectOutcome[] = []
  for (const [index, route] of routes.entries()) {
    if (dialer.signal.aborted) break
    await turn(index)
    try {
      return await dialer.dial(route, options)
    } catch (error) {
      if (!(error instanceof DialFailedError)) throw error
      outcomes.push(connectOutcomeOf(error.failure))
    }
  }
  return outcomes
}
