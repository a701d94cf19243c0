import { hash } from '@node-rs/argon2'

/** OWASP's first choice for argon2id, which is the library's default: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** An argon2id hash with its salt and cost, `$argon2id$v=19$…`. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}
