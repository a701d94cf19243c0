/** What a registrar needs to check a phone's digest (RFC 7616, 3.4.2: A1), instead of its password. */
import { createHash } from 'node:crypto'

/** Hashes in lower-case hex. */
export interface DigestHashes {
  ha1: string
  ha1b: string
  ha1_sha256: string
  ha1b_sha256: string
}

/**
 * Hashes a password.
 * @param address `ha1b` is for phones that answer as `user@domain`; the realm is the domain unless another is given
 */
export function digestHashes(
  { username, domain, realm = domain }: { username: string; domain: string; realm?: string },
  password: string,
): DigestHashes {
  const plain = `${username}:${realm}:${password}`
  const withDomain = `${username}@${domain}:${realm}:${password}`
  const hash = (algorithm: string, text: string) => createHash(algorithm).update(text, 'utf8').digest('hex')
  return {
    ha1: hash('md5', plain),
    ha1b: hash('md5', withDomain),
    ha1_sha256: hash('sha256', plain),
    ha1b_sha256: hash('sha256', withDomain),
  }
}
