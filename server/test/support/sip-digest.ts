/** Digest authentication as a phone does it: RFC 3261 with MD5, RFC 8760 with SHA-256. */
import { createHash, randomBytes } from 'node:crypto'

export type Algorithm = 'MD5' | 'SHA-256'

export interface Credentials {
  /** As it is sent: plain, or with its domain. */
  username: string
  password: string
}

function hash(algorithm: Algorithm, text: string): string {
  return createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
    .update(text)
    .digest('hex')
}

/** One field of a challenge or of credentials, without its quotes. */
export function digestField(header: string, name: string): string {
  return new RegExp(`(?:^|[\\s,])${name}="?([^",]*)"?`, 'i').exec(header)?.[1] ?? ''
}

/** The value of an Authorization header that answers a challenge. */
export function answerChallenge(
  challenge: string,
  credentials: Credentials,
  request: { method: string; uri: string; /** false as before RFC 2617 */ qop?: boolean },
): string {
  const algorithm = digestField(challenge, 'algorithm') === 'SHA-256' ? 'SHA-256' : 'MD5'
  const realm = digestField(challenge, 'realm')
  const nonce = digestField(challenge, 'nonce')
  const cnonce = randomBytes(8).toString('hex')
  const nc = '00000001'
  const ha1 = hash(algorithm, `${credentials.username}:${realm}:${credentials.password}`)
  const ha2 = hash(algorithm, `${request.method}:${request.uri}`)
  const middle = request.qop === false ? nonce : `${nonce}:${nc}:${cnonce}:auth`
  const response = hash(algorithm, `${ha1}:${middle}:${ha2}`)
  return [
    `Digest username="${credentials.username}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${request.uri}"`,
    `response="${response}"`,
    ...(request.qop === false ? [] : [`cnonce="${cnonce}"`, `nc=${nc}`, 'qop=auth']),
    `algorithm=${algorithm}`,
  ].join(', ')
}

/** What the server stores of an account. */
export function accountHashes(username: string, domain: string, password: string): Record<string, string> {
  const plain = `${username}:${domain}:${password}`
  const long = `${username}@${domain}:${domain}:${password}`
  return {
    ha1: hash('MD5', plain),
    ha1b: hash('MD5', long),
    ha1_sha256: hash('SHA-256', plain),
    ha1b_sha256: hash('SHA-256', long),
  }
}
