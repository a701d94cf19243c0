/**
 * The JSON Web Tokens that we sign and read ourselves (contract, sections Token claims and Authentication): HS256 and
 * nothing else, each audience with a key of its own, so that a token of one kind is worth nothing as another.
 */
import { hkdfSync } from 'node:crypto'
import jwt from 'jsonwebtoken'
import type { Key, Keyring } from '../database/keyring.js'

export type Audience =
  | ('agent-api' | 'agent-refresh' | 'password-reset' | 'call-session')
  | ('invitation' | 'entry-link' | 'operator-entry')

/** Seconds that a token of each kind is valid (contract, Limits). */
export const lifetimes: Readonly<Record<Audience, number>> = {
  'agent-api': 86_400,
  'agent-refresh': 30 * 86_400,
  'password-reset': 1_800,
  'call-session': 900,
  invitation: 86_400,
  'entry-link': 120,
  'operator-entry': 3_600,
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
  /** The person that it was issued to. */
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
  /** @param keys those of the configuration */
  constructor(private readonly keys: Keyring) {}

  sign(audience: Audience, claims: Claims): SignedToken {
    const seconds = Math.floor(Date.now() / 1000)
    const exp = seconds + lifetimes[audience]
    const payload = { ...claims, iss: issuer, aud: audience, iat: seconds, exp }
    const token = jwt.sign(payload, signingKey(this.keys.current, audience), { algorithm: 'HS256' })
    return { token, expiresAt: exp * 1000 }
  }

  /** What a token says that we have signed for this audience. @throws {TokenError} */
  read(audience: Audience, token: string): ReadClaims {
    let failure = new TokenError('invalid')
    for (const key of this.keys.all) {
      try {
        return readToken(token, signingKey(key, audience), { audience, issuer }) as ReadClaims
      } catch (error) {
        if (!(error instanceof TokenError)) throw error
        if (error.reason === 'expired') failure = error // it is of this key, then
      }
    }
    throw failure
  }
}

/** Deriving a key takes as long as reading a token: it is done once for each. */
const derived = new WeakMap<Key, Partial<Record<Audience, Buffer>>>()

function signingKey(key: Key, audience: Audience): Buffer {
  const known = derived.get(key) ?? {}
  derived.set(key, known)
  known[audience] ??= Buffer.from(hkdfSync('sha256', key.bytes, '', `jackfield token ${audience}`, 32))
  return known[audience]
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
    if (typeof claims !== 'string' && claims.exp !== undefined && isAudience(claims.aud, audience))
      return claims
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) throw new TokenError('expired')
  }
  throw new TokenError('invalid')
}

/** Whether a claim `aud` names an audience and no other: as a text, or as a list of one (RFC 7519, section 4.1.3). */
export function isAudience(claim: unknown, audience: string): boolean {
  return audienceOf(claim) === audience
}

/** The one audience that a claim `aud` names; undefined when it names none, or several. */
export function audienceOf(claim: unknown): string | undefined {
  const named: unknown = Array.isArray(claim) && claim.length === 1 ? claim[0] : claim
  return typeof named === 'string' ? named : undefined
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
