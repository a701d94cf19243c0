import { hash, verify } from '@node-rs/argon2'
import { RateLimitError } from '../../infrastructure/http/errors.js'

/** OWASP's first choice for argon2id, which is the library's default: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Hashes made at once: they share the threads that files and names are read with, which a flood of log-ins must leave to
 * calls.
 */
const atOnce = 2
/** Beyond these somebody has to come again. */
const maxWaiting = 200

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < atOnce) running++
  else if (waiting.length < maxWaiting) await new Promise<void>((turn) => waiting.push(turn))
  else throw new RateLimitError(maxWaiting, 1, 'log-ins at once')
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** An argon2id hash with its salt and cost, `$argon2id$v=19$…`. */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(async () => hash(password, cost))
}

/** A hash that no password matches; made once, so that an unknown user takes as long to refuse as a wrong password. */
const dummy = hashPassword('')

/**
 * Whether a password is the hash's; takes as long without a hash, and is false.
 * @param check throws when it is not to be looked at any more, once its turn has come
 */
export async function isPassword(
  password: string,
  passwordHash: string | undefined,
  check: () => void = () => undefined,
): Promise<boolean> {
  const expected = passwordHash ?? (await dummy)
  const matches = await inTurn(async () => {
    check()
    return verify(expected, password)
  })
  return matches && passwordHash !== undefined
}
