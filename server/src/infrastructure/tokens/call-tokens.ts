/** Call tokens: what lets an app speak for its person in one call (contract, Token claims). */
import { type SignedToken, type Tokens, TokenError, lifetimes } from './tokens.js'

export type SupervisionMode = 'listen' | 'whisper' | 'barge'

/** Whose app it is: an agent's, or one of a customer's own users. */
export type PersonKind = 'agent' | 'client'

export interface CallTokenClaims {
  /** An agent's id, or the `sub` of a client's JWT. */
  sub: string
  kind: PersonKind
  workspace_id: string
  call_id: string
  /** The channel of the switch that this app's leg has, or will have. */
  fs_uuid: string
  /** Of a supervisor's leg. */
  mode?: SupervisionMode
  /** What it comes from, and ends with: an agent's session (`ses_…`), or an API key (`sid-…`). */
  credential?: string
}

/** Seconds that a call token is valid; answered as `expires_in`. */
export const callTokenSeconds = lifetimes['call-session']

export class CallTokens {
  constructor(private readonly tokens: Tokens) {}

  sign(claims: CallTokenClaims): SignedToken {
    return this.tokens.sign('call-session', claims)
  }

  /** @throws {TokenError} also when it is one of another workspace */
  read(workspaceId: string, token: string): CallTokenClaims {
    const claims = this.tokens.read('call-session', token) as unknown as CallTokenClaims
    if (claims.workspace_id !== workspaceId) throw new TokenError('invalid')
    return claims
  }
}
