import { hash, verify } from '@node-rs/argon2'

/** OWASP's first choice for argon2id, which is the library's default: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** An argon2id hash with its salt and cost, `$argon2id$v=19$…`. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

/** What no password matches; made once, so that an unknown user takes as long to refuse as a wrong password. */
const nobody = hashPassword('')

/** Whether a password is the hash's; takes as long without a hash, and is false. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await nobody), password)
  return matches && passwordHash !== undefined
}
