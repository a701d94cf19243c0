/**
 * JWTs that customers' backends sign for the users of their apps, with the secret of an API key (contract, Token claims
 * and Authentication 4).
 */
import type { Owner } from '../database/workspace-table.js'
import { TokenError, readToken, unverifiedClaims } from './tokens.js'

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

const audience = 'client-api'
const subjectRule = /^[A-Za-z0-9_.-]{1,64}$/
const keyRule = /^sid-[a-z0-9]{1,36}$/
const idRule = /^[!-~]{1,64}$/

interface Services {
  /** The secret of a workspace's key; null when it has no such key. */
  secretOf(workspaceId: string, sid: string): Promise<string | null>
  /** Names of a workspace that the claim `domain` may hold. */
  domainsOf(workspaceId: string): readonly string[]
}

export class ClientTokens {
  constructor(private readonly services: Services) {}

  /** @throws {TokenError} */
  async read(workspace: Owner, token: string): Promise<ClientClaims> {
    const issuer: unknown = unverifiedClaims(token)?.iss
    if (typeof issuer !== 'string' || !keyRule.test(issuer)) throw new TokenError('invalid')
    const secret = await this.services.secretOf(workspace.id, issuer)
    if (secret === null) throw new TokenError('invalid')
    const { sub, exp, ...others } = readToken(token, secret, { audience, issuer })
    const domain: unknown = others['domain']
    const flow: unknown = others['call_flow_id']
    const isOurs = typeof domain === 'string' && this.services.domainsOf(workspace.id).includes(domain)
    const isWhole = typeof sub === 'string' && typeof flow === 'string' && exp !== undefined
    if (!isOurs || !isWhole || !subjectRule.test(sub) || !idRule.test(flow)) throw new TokenError('invalid')
    return { sub, key_sid: issuer, call_flow_id: flow, exp }
  }
}
