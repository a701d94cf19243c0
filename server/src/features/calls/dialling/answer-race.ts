/** Rings several legs at once: the first answer wins, and all others are released. */
import { DialFailedError, type AnsweredLeg, lostRace } from '../model/answered-leg.js'

/** Rings one leg until the signal. @throws {DialFailedError} not answered, {SwitchDownError} */
export type Attempt = (signal: AbortSignal) => Promise<AnsweredLeg>

interface Race {
  /** Releases a second leg that answered at the same moment. */
  readonly drop: (reached: AnsweredLeg) => void
  /** Whether a refusal ends the ringing of all others, too [never]. */
  readonly endsAll?: (failure: DialFailedError) => boolean
}

/**
 * Rings all at once, and cancels the others when one answers.
 * @returns the first leg that answered, or the failures of all, oldest first
 * @throws any error but {@link DialFailedError}
 */
export async function race(
  attempts: readonly Attempt[],
  { drop, endsAll }: Race,
): Promise<AnsweredLeg | DialFailedError[]> {
  const others = new AbortController()
  const failures: DialFailedError[] = []
  return new Promise((resolve, reject) => {
    let winner: AnsweredLeg | undefined
    const ring = async (attempt: Attempt): Promise<void> => {
      try {
        const reached = await attempt(others.signal)
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
        if (endsAll?.(error)) others.abort()
        if (failures.length === attempts.length) resolve(failures)
      }
    }
    if (attempts.length === 0) resolve([])
    for (const attempt of attempts) void ring(attempt)
  })
}

/** A 6xx of one phone speaks for its user, and ends the ringing of all phones (RFC 3261, section 21.6). */
export function isDeclinedEverywhere(sipCode: number | null): boolean {
  return sipCode !== null && sipCode >= 600
}

/**
 * Rings the phones of one person. A refusal of one leaves the others ringing, unless it is a 6xx.
 * @throws {DialFailedError} no phone answered; the most telling of all failures
 */
export async function firstToAnswer(
  attempts: readonly Attempt[],
  signal: AbortSignal,
  drop: (reached: AnsweredLeg) => void,
): Promise<AnsweredLeg> {
  const untilEither = attempts.map(
    (attempt): Attempt =>
      async (others) =>
        attempt(AbortSignal.any([signal, others])),
  )
  const endsAll = ({ failure }: DialFailedError) => isDeclinedEverywhere(failure.sipCode)
  const result = await race(untilEither, { drop, endsAll })
  if (Array.isArray(result)) throw plainest(result)
  return result
}

/** A failure that the user caused before one of the phone: declined, then busy, then the latest. */
function plainest(failures: readonly DialFailedError[]): Error {
  return (
    failures.find(({ failure }) => isDeclinedEverywhere(failure.sipCode)) ??
    failures.find(({ failure }) => failure.hangupCause === 'CALL_REJECTED') ??
    failures.find(({ failure }) => failure.hangupCause === 'USER_BUSY') ??
    failures.at(-1) ??
    new Error('no phone was rung')
  )
}
