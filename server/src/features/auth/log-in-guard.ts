/**
 * Stops sources that guess passwords, and leaves all others alone.
 *
 * Wrong passwords are counted by username and source. A device on which the agent has logged in before has a counter of
 * its own, so that strangers cannot lock agents out of the devices they work on. New devices are also held off when a
 * username is guessed at from many sources, and when one source guesses at many usernames.
 */
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { RateLimitError } from '../../infrastructure/http/errors.js'
import type { SharedCounters } from '../../infrastructure/http/shared-counters.js'
import { Attempts } from './attempts.js'
import { deviceHash } from './known-devices.js'

const quarterMs = 15 * 60_000
/** Wrong passwords for a username: from one source or known device, and in all on new devices. */
export const maxGuesses = 20
const maxGuessesOfAll = 100
/** Wrong passwords a minute from one source on new devices, as a multiple of the log-ins of one username. */
const failuresTimes = 5

/** The account that a password is tried for, and where the try comes from. */
export interface Guess {
  workspace: Owner
  username: string
  source: string
  /** The device, when the agent has logged in on it before. */
  knownDevice: string | null
}

export class LogInGuard {
  private readonly guesses: Attempts
  private readonly guessesOfAll: Attempts
  private readonly failures: Attempts

  /**
   * @param logInsAMinute limit of one username
   * @param counters shared by several servers, so that a password is guessed no faster on all of them together
   */
  constructor(logInsAMinute: number, counters: SharedCounters | null) {
    const shared = (prefix: string) => counters && { counters, prefix }
    this.guesses = new Attempts({ max: maxGuesses, windowMs: quarterMs }, shared('guesses:'))
    this.guessesOfAll = new Attempts({ max: maxGuessesOfAll, windowMs: quarterMs }, shared('all-guesses:'))
    const failures = { max: logInsAMinute * failuresTimes, windowMs: 60_000 }
    this.failures = new Attempts(failures, shared('failed-log-ins:'))
  }

  /** Counts a guess before the password is looked at: of many at once, none may slip through. @throws 429 */
  async take(guess: Guess): Promise<void> {
    this.check(guess)
    await take(this.guesses, nameOf(guess))
    if (guess.knownDevice === null) await take(this.guessesOfAll, accountOf(guess))
  }

  /** Whether the source of a guess has failed too often in this minute. @throws 429 */
  check({ source, knownDevice }: Guess): void {
    const pause = knownDevice === null ? this.failures.pauseOf(source) : 0
    if (pause > 0) throw new RateLimitError(this.failures.settings.max, pause, 'wrong passwords')
  }

  /** Counts a wrong password against its source. */
  async failed({ source }: Guess): Promise<void> {
    await this.failures.fail(source)
  }

  /** Forgets the wrong passwords before a right one. */
  async succeeded(guess: Guess): Promise<void> {
    await this.guesses.clear(nameOf(guess))
    await this.guessesOfAll.clear(accountOf(guess))
  }

  /** Counts a guess at the password of an agent within a session, whatever address it comes from. @throws 429 */
  async takeWithin(sessionId: string, guess: Guess): Promise<void> {
    await take(this.guesses, `session ${sessionId}`)
    await take(this.guesses, nameOf(guess))
  }

  async succeededWithin(sessionId: string, guess: Guess): Promise<void> {
    await this.guesses.clear(`session ${sessionId}`)
    await this.guesses.clear(nameOf(guess))
  }
}

async function take(attempts: Attempts, name: string): Promise<void> {
  const pause = await attempts.take(name)
  if (pause > 0) throw new RateLimitError(attempts.settings.max, pause, 'wrong passwords')
}

function accountOf({ workspace, username }: Guess): string {
  return `${workspace.id} ${username}`
}

function nameOf(guess: Guess): string {
  const { source, knownDevice } = guess
  return `${accountOf(guess)} ${knownDevice === null ? source : `device ${deviceHash(knownDevice)}`}`
}
