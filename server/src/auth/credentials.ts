/** What people's tokens come from, and end with: agents' sessions, and the API keys that sign clients' tokens. */
import type { AgentActor, ClientActor } from '../http/endpoint.js'
import type { CallTokenClaims, CallTokens } from '../tokens/call-tokens.js'
import { TokenError } from '../tokens/tokens.js'
import type { ApiKeyService } from '../workspaces/api-key.service.js'
import type { AgentSessions } from './agent-sessions.js'

const isKey = (credential: string) => credential.startsWith('sid-')

/** That of whoever asks. */
export function credentialOf(actor: AgentActor | ClientActor): string {
  return actor.kind === 'agent' ? actor.session_id : actor.key_sid
}

export class Credentials {
  constructor(
    private readonly sessions: Pick<AgentSessions, 'lasting'>,
    private readonly apiKeys: Pick<ApiKeyService, 'existing'>,
    private readonly callTokens: Pick<CallTokens, 'read'>,
  ) {}

  /** Those that still hold. */
  async valid(credentials: readonly string[]): Promise<ReadonlySet<string>> {
    const keys = credentials.filter(isKey)
    const sessions = credentials.filter((one) => !isKey(one))
    const found = await Promise.all([
      keys.length > 0 ? this.apiKeys.existing(keys) : [],
      this.sessions.lasting(sessions),
    ])
    return new Set(found.flat())
  }

  /** What a call token says. @throws {TokenError} also when what it comes from has ended */
  async readCallToken(workspaceId: string, token: string): Promise<CallTokenClaims> {
    const claims = this.callTokens.read(workspaceId, token)
    const { credential } = claims
    if (credential !== undefined && !(await this.valid([credential])).has(credential))
      throw new TokenError('revoked')
    return claims
  }
}
