/** Ringing somebody for a call that waits: one phone, several at once, or one after another. */
import type { Route } from './call-routing.js'
import { connectOutcomeOf } from './call-outcome.js'
import { race } from './answer-race.js'
import { DialFailedError, type Reached } from './reached.js'
import type { ConnectOutcome } from './actions/action.js'
import type { Outcome } from './program.js'

export interface DialOptions {
  /** Seconds. */
  ringTimeout: number
  /** Shown to whom it rings; the call's own caller by default. */
  callerName?: string
  /** Set when somebody hands the call over to whom it rings. */
  transfer?: { reason: string | null }
  /** Ends the ringing before its time. */
  signal?: AbortSignal
}

/** What rings somebody for a call. */
export interface Dialler {
  /** Aborted when the call ends, or another step takes the place of this one. */
  readonly signal: AbortSignal
  /** @throws {DialFailedError} nobody answered, {@link SwitchDownError} the link was lost meanwhile */
  readonly dial: (route: Route, options: DialOptions) => Promise<Reached>
  /** Lets somebody go who has answered, and is not wanted any more. */
  readonly drop: (reached: Reached) => void
  /**
   * Lets the caller hear ringback while others are rung: a caller who is not answered that of their own network, unless
   * a file is named.
   */
  readonly withRingback: <T>(file: string | null, work: () => Promise<T>) => Promise<T>
}

/** Finds somebody for a call, or says why there is nobody. */
export type Reach<O extends Outcome = Outcome> = (dialler: Dialler) => Promise<Reached | O>

/** Rings all at once: the first that answers has the call. */
export async function ringTogether(
  dialler: Dialler,
  routes: readonly Route[],
  options: Omit<DialOptions, 'signal'>,
): Promise<Reached | ConnectOutcome[]> {
  const attempts = routes.map(
    (route) => async (signal: AbortSignal) => dialler.dial(route, { ...options, signal }),
  )
  const result = await race(attempts, { drop: (reached) => dialler.drop(reached) })
  return Array.isArray(result) ? result.map(({ failure }) => connectOutcomeOf(failure)) : result
}

/** Rings one after another until one answers. @param turn called before each is rung */
export async function ringInTurn(
  dialler: Dialler,
  routes: readonly Route[],
  options: Omit<DialOptions, 'signal'>,
  turn: (index: number) => Promise<void>,
): Promise<Reached | ConnectOutcome[]> {
  const outcomes: ConnectOutcome[] = []
  for (const [index, route] of routes.entries()) {
    if (dialler.signal.aborted) break
    await turn(index)
    try {
      return await dialler.dial(route, options)
    } catch (error) {
      if (!(error instanceof DialFailedError)) throw error
      outcomes.push(connectOutcomeOf(error.failure))
    }
  }
  return outcomes
}
