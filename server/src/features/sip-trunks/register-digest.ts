/** Answers digest challenges of registrars: RFC 3261 section 22 with MD5, RFC 8760 with SHA-256 and SHA-512-256. */
import { createHash, randomBytes } from 'node:crypto'

/** Strongest first. */
const algorithms = [
  ['SHA-512-256', 'sha512-256'],
  ['SHA-256', 'sha256'],
  ['MD5', 'md5'],
] as const

export interface DigestChallenge {
  /** The header that the answer goes into. */
  header: 'Authorization' | 'Proxy-Authorization'
  realm: string
  nonce: string
  opaque: string | null
  isStale: boolean
  /** As it was written; '' where it was left out, which is MD5. */
  algorithm: string
  hash: string
  isSession: boolean
  hasQop: boolean
}

/** The strongest challenge of an answer that can be answered; null where there is none. Other schemes than Digest are not. */
export function challengeOf(headers: readonly (readonly [string, string])[]): DigestChallenge | null {
  const found = headers.flatMap(([name, value]) => {
    const header =
      name === 'www-authenticate'
        ? ('Authorization' as const)
        : name === 'proxy-authenticate'
          ? ('Proxy-Authorization' as const)
          : null
    return header && /^digest\s/i.test(value) ? [readChallenge(header, value)] : []
  })
  const usable = found.flatMap((one) => {
    const rank = algorithms.findIndex(
      ([name]) => name === (one.algorithm || 'MD5').toUpperCase().replace(/-SESS$/, ''),
    )
    const [, hash] = algorithms[rank] ?? []
    return hash && one.nonce !== '' ? [{ rank, challenge: { ...one, hash } }] : []
  })
  return usable.sort((a, b) => a.rank - b.rank)[0]?.challenge ?? null
}

function readChallenge(header: DigestChallenge['header'], value: string): DigestChallenge {
  const fields = new Map<string, string>()
  // each step takes at least a name and "=": linear
  for (const [, name = '', quoted, plain] of value
    .slice(6)
    .matchAll(/([a-z0-9_-]{1,40})\s{0,5}=\s{0,5}(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))/gi))
    if (!fields.has(name.toLowerCase()))
      fields.set(name.toLowerCase(), quoted === undefined ? (plain ?? '') : quoted.replace(/\\(.)/g, '$1'))
  const algorithm = fields.get('algorithm') ?? ''
  return {
    ...{ header, realm: fields.get('realm') ?? '', nonce: fields.get('nonce') ?? '' },
    opaque: fields.get('opaque') ?? null,
    isStale: /^true$/i.test(fields.get('stale') ?? ''),
    ...{ algorithm, hash: '', isSession: /-sess$/i.test(algorithm) },
    hasQop: /(^|[\s,])auth([\s,]|$)/i.test(fields.get('qop') ?? ''),
  }
}

/** The value of the header that answers a challenge. */
export function digestAnswer(
  challenge: DigestChallenge,
  credential: { username: string; password: string },
  request: { method: string; uri: string },
  cnonce = randomBytes(8).toString('hex'),
): string {
  const { realm, nonce, opaque, algorithm, hash, isSession, hasQop } = challenge
  const of = (text: string) => createHash(hash).update(text).digest('hex')
  const { username, password } = credential
  const plain = of(`${username}:${realm}:${password}`)
  const ha1 = isSession ? of(`${plain}:${nonce}:${cnonce}`) : plain
  const ha2 = of(`${request.method}:${request.uri}`)
  const nc = '00000001'
  const response = of(hasQop ? `${ha1}:${nonce}:${nc}:${cnonce}:auth:${ha2}` : `${ha1}:${nonce}:${ha2}`)
  return [
    `Digest username=${quoted(username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(request.uri)}`,
    `response="${response}"`,
    ...(algorithm ? [`algorithm=${algorithm}`] : []),
    ...(hasQop || isSession ? [`cnonce="${cnonce}"`] : []),
    ...(hasQop ? [`nc=${nc}`, 'qop=auth'] : []),
    ...(opaque === null ? [] : [`opaque=${quoted(opaque)}`]),
  ].join(', ')
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
