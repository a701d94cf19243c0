/** Resolves a Bearer token to its owner. */
import type { BearerActor, Tenant } from '../../infrastructure/http/endpoint.js'
import { ClientTokenError, type ClientTokens } from '../../infrastructure/tokens/client-tokens.js'
import { TokenError, audienceOf, unverifiedClaims } from '../../infrastructure/tokens/tokens.js'
import { unauthorized } from '../../infrastructure/http/errors.js'
import type { AgentSessions } from './agent-sessions.js'
import type { Credentials } from './credentials.js'

export class Bearers {
  constructor(
    private readonly sessions: AgentSessions,
    private readonly clients: ClientTokens,
    private readonly credentials: Pick<Credentials, 'readCallToken'>,
  ) {}

  /**
   * Null when the token does not hold in this workspace, whatever is wrong with it.
   * @throws 401, with the reason where a client's token is rightly signed: its maker holds the secret
   */
  async check(workspace: Tenant, token: string): Promise<BearerActor | null> {
    try {
      return await this.read(workspace, token)
    } catch (error) {
      if (error instanceof ClientTokenError)
        throw unauthorized(`Missing or invalid credentials: ${error.why}`)
      if (error instanceof TokenError) return null
      throw error
    }
  }

  private async read(workspace: Tenant, token: string): Promise<BearerActor | null> {
    // Only chooses who reads the token: each reader has a key of its own.
    switch (audienceOf(unverifiedClaims(token)?.aud)) {
      case 'agent-api':
        return this.sessions.check(workspace.id, token)
      case 'client-api': {
        const { exp, ...client } = await this.clients.read(workspace, token)
        return { kind: 'client', ...client, expires_at: exp * 1000 }
      }
      case 'call-session': {
        const { sub, kind, call_id, fs_uuid } = await this.credentials.readCallToken(workspace.id, token)
        return { kind: 'call_token', sub, person: kind, call_id, fs_uuid }
      }
      default:
        return null
    }
  }
}
