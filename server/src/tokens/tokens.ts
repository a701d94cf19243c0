/**
 * The JSON Web Tokens that we sign and read ourselves (contract, sections Token claims and Authentication): HS256 and
 * nothing else, each audience with a key of its own, so that a token of one kind is worth nothing as another.
 */
import { hkdfSync } from 'node:crypto'
import jwt from 'jsonwebtoken'

export type Audience = 'agent-api' | 'agent-refresh' | 'password-reset' | 'call-session'

/** Seconds that a token of each kind is valid (contract, Limits). */
export const lifetimes: Readonly<Record<Audience, number>> = {
  'agent-api': 86_400,
  'agent-refresh': 30 * 86_400,
  'password-reset': 1_800,
  'call-session': 900,
}

const issuer = 'jackfield'

/** A token that does not hold. */
export class TokenError extends Error {
  constructor(readonly reason: 'invalid' | 'expired' | 'revoked') {
    super(`the token is ${reason}`)
  }
}

/** What every token of ours says. */
export interface Claims {
  /** Whom it speaks of. */
  sub: string
  workspace_id: string
}

/** Claims of a token that holds: those that it was signed with. */
export type ReadClaims = Claims & { exp: number } & Readonly<Record<string, unknown>>

export interface SignedToken {
  token: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

export class Tokens {
  private readonly keys: Readonly<Record<Audience, Buffer>>

  /** @param secretKey the key of the configuration */
  constructor(secretKey: Buffer) {
    const keyOf = (audience: Audience) =>
      Buffer.from(hkdfSync('sha256', secretKey, '', `jackfield token ${audience}`, 32))
    this.keys = {
      'agent-api': keyOf('agent-api'),
      'agent-refresh': keyOf('agent-refresh'),
      'password-reset': keyOf('password-reset'),
      'call-session': keyOf('call-session'),
    }
  }

  sign(audience: Audience, claims: Claims): SignedToken {
    const seconds = Math.floor(Date.now() / 1000)
    const exp = seconds + lifetimes[audience]
    const payload = { ...claims, iss: issuer, aud: audience, iat: seconds, exp }
    return { token: jwt.sign(payload, this.keys[audience], { algorithm: 'HS256' }), expiresAt: exp * 1000 }
  }

  /** What a token says that we have signed for this audience. @throws {TokenError} */
  read(audience: Audience, token: string): ReadClaims {
    return readToken(token, this.keys[audience], { audience, issuer }) as ReadClaims
  }
}

/**
 * The claims of a token whose signature, audience, issuer and time hold.
 * @throws {TokenError}
 */
export function readToken(
  token: string,
  key: Buffer | string,
  { audience, issuer }: { audience: string; issuer: string },
): jwt.JwtPayload {
  try {
    const claims = jwt.verify(token, key, { algorithms: ['HS256'], audience, issuer })
    if (typeof claims !== 'string' && claims.exp !== undefined) return claims
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) throw new TokenError('expired')
  }
  throw new TokenError('invalid')
}

/** What a token says of itself, before it is known whether that is true. */
export function unverifiedClaims(token: string): jwt.JwtPayload | null {
  try {
    const claims = jwt.decode(token)
    return typeof claims === 'string' ? null : claims
  } catch {
    // Of a header that promises claims which are no JSON.
    return null
  }
}
