/**
 * JWTs that customers' backends sign for the users of their apps, with the secret of an API key (contract, Token claims
 * and Authentication 4). The signature is checked before anything else: only its maker learns what is wrong with a token.
 */
import jwt from 'jsonwebtoken'
import type { Owner } from '../database/workspace-table.js'
import { TokenError, isAudience, unverifiedClaims } from './tokens.js'

/** What a client's JWT says, once it holds. */
export interface ClientClaims {
  /** Names the user within the workspace. */
  sub: string
  /** The API key that it is signed with. */
  key_sid: string
  /** The flow that its calls run. */
  call_flow_id: string
  /** Seconds since 1970. */
  exp: number
}

/** An API key as the signer of client tokens. */
export interface ClientSigner {
  readonly secret: string
  readonly signsClients: boolean
}

/** A token whose signature is right, and which does not hold all the same. */
export class ClientTokenError extends TokenError {
  /** @param why what its maker should change: `the claim domain is not of this workspace` */
  constructor(readonly why: string) {
    super('invalid')
  }
}

const audience = 'client-api'
/** Of `sub`. */
export const subjectPattern = '[A-Za-z0-9_.-]{1,64}'
const subjectRule = new RegExp(`^${subjectPattern}$`)
const keyRule = /^sid-[a-z0-9]{1,36}$/
const idRule = /^[!-~]{1,64}$/
const daySeconds = 86_400
/** How far the clock of a customer's backend may be ahead of ours. */
const clockSkewSeconds = 300

interface Services {
  /** The signer of a workspace that has this sid; null when it has no such key. */
  signerOf(workspaceId: string, sid: string): Promise<ClientSigner | null>
  /** Names of a workspace that the claim `domain` may hold. */
  domainsOf(workspaceId: string): readonly string[]
  /** The longest time that a token may hold, from when it is used. */
  maxDays: number
}

export class ClientTokens {
  constructor(private readonly services: Services) {}

  /** @throws {TokenError}, a {@link ClientTokenError} when the signature is right */
  async read(workspace: Owner, token: string): Promise<ClientClaims> {
    const issuer: unknown = unverifiedClaims(token)?.iss
    if (typeof issuer !== 'string' || !keyRule.test(issuer)) throw new TokenError('invalid')
    const signer = await this.services.signerOf(workspace.id, issuer)
    if (signer === null) throw new TokenError('invalid')
    const claims = signedClaims(token, signer.secret)
    if (!signer.signsClients)
      throw new ClientTokenError(
        `the API key ${issuer} does not sign client tokens: its signs_clients is false`,
      )
    return { ...this.checked(workspace, claims), key_sid: issuer }
  }

  private checked(
    workspace: Owner,
    claims: Readonly<Record<string, unknown>>,
  ): Omit<ClientClaims, 'key_sid'> {
    const { aud, nbf, exp, domain, sub, call_flow_id } = claims
    if (!isAudience(aud, audience)) throw new ClientTokenError(`the claim aud must be ${audience}`)
    const now = Date.now() / 1000
    if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now + clockSkewSeconds))
      throw new ClientTokenError('the claim nbf is not reached yet')
    if (typeof exp !== 'number')
      throw new ClientTokenError('the claim exp must be a number of seconds since 1970')
    if (exp <= now) throw new ClientTokenError('the token is expired: the claim exp is past')
    const { maxDays } = this.services
    if (exp > now + maxDays * daySeconds + clockSkewSeconds)
      throw new ClientTokenError(`the claim exp must be within ${maxDays} days`)
    if (typeof domain !== 'string' || !this.services.domainsOf(workspace.id).includes(domain))
      throw new ClientTokenError('the claim domain is not of this workspace')
    if (typeof sub !== 'string' || !subjectRule.test(sub))
      throw new ClientTokenError(
        'the claim sub must have 1 to 64 letters, digits, underscores, hyphens or dots',
      )
    if (typeof call_flow_id !== 'string' || !idRule.test(call_flow_id))
      throw new ClientTokenError('the claim call_flow_id must be the id of a call flow')
    return { sub, call_flow_id, exp }
  }
}

/** The claims of a token whose signature is right. @throws {TokenError}, whatever else is wrong with it */
function signedClaims(token: string, secret: string): Readonly<Record<string, unknown>> {
  try {
    const options = { algorithms: ['HS256' as const], ignoreExpiration: true, ignoreNotBefore: true }
    const claims = jwt.verify(token, secret, options)
    if (typeof claims !== 'string') return claims
  } catch {
    // The plain 401: no holder of the secret has signed it.
  }
  throw new TokenError('invalid')
}
