/** What people's tokens come from, and end with: agents' sessions, and the API keys that sign clients' tokens. */
import type { AgentActor, ClientActor, KeyActor } from '../../infrastructure/http/endpoint.js'
import type { CallTokenClaims, CallTokens } from '../../infrastructure/tokens/call-tokens.js'
import { TokenError } from '../../infrastructure/tokens/tokens.js'
import type { ApiKeyService } from '../workspaces/api-key.service.js'
import type { AgentSessions } from './agent-sessions.js'

const isKey = (credential: string) => credential.startsWith('sid-')

/** The credential of the caller; the operator's token has no id. */
export function credentialOf(actor: AgentActor | ClientActor): string
export function credentialOf(actor: AgentActor | ClientActor | KeyActor): string | undefined
export function credentialOf(actor: AgentActor | ClientActor | KeyActor): string | undefined {
  switch (actor.kind) {
    case 'agent':
      return actor.session_id
    case 'client':
      return actor.key_sid
    case 'api_key':
      return actor.sid
    case 'operator':
      return undefined
  }
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
