/** The phones of one person ring at once, over several legs: the first that answers has the call. */
import { DialFailedError, type Reached, lostRace } from './reached.js'

/** Rings over one leg, until the signal. @throws {DialFailedError} not answered, {SwitchDownError} */
export type Attempt = (signal: AbortSignal) => Promise<Reached>

/** A phone that says so speaks for its user, and ends the ringing of all (RFC 3261, section 21.6). */
export function isDeclinedEverywhere(sipCode: number | null): boolean {
  return sipCode !== null && sipCode >= 600
}

/**
 * Cancels the others when one answers. A refusal of one leaves the others ringing, unless it is a 6xx.
 * @param drop lets a second one go that has answered in the same moment
 * @throws {DialFailedError} nobody answered: with what says most of all failures
 */
export async function firstToAnswer(
  attempts: readonly Attempt[],
  signal: AbortSignal,
  drop: (reached: Reached) => void,
): Promise<Reached> {
  const others = new AbortController()
  const all = AbortSignal.any([signal, others.signal])
  const failures: DialFailedError[] = []
  return new Promise((resolve, reject) => {
    let winner: Reached | undefined
    const ring = async (attempt: Attempt): Promise<void> => {
      try {
        const reached = await attempt(all)
        if (winner) {
          drop(reached)
          return
        }
        winner = reached
        others.abort(lostRace)
        resolve(reached)
      } catch (error) {
        if (!(error instanceof DialFailedError)) {
          others.abort()
          reject(error instanceof Error ? error : new Error(String(error)))
          return
        }
        failures.push(error)
        if (isDeclinedEverywhere(error.failure.sipCode)) others.abort()
        if (failures.length === attempts.length) reject(plainest(failures))
      }
    }
    for (const attempt of attempts) void ring(attempt)
  })
}

/** A word of the user's before that of a phone: declined, then busy, then the latest. */
function plainest(failures: readonly DialFailedError[]): Error {
  return (
    failures.find(({ failure }) => isDeclinedEverywhere(failure.sipCode)) ??
    failures.find(({ failure }) => failure.hangupCause === 'CALL_REJECTED') ??
    failures.find(({ failure }) => failure.hangupCause === 'USER_BUSY') ??
    failures.at(-1) ??
    new Error('nobody was rung')
  )
}
