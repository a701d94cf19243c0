/** Logging in, and what comes of it. */
import type { Agent } from '../agents/agent.entity.js'
import type { AgentService } from '../agents/agent.service.js'
import { isPassword } from '../agents/passwords.js'
import type { Owner } from '../database/workspace-table.js'
import { unauthorized } from '../http/errors.js'
import { TokenError } from '../tokens/tokens.js'
import type { AgentSessions, SessionTokens } from './agent-sessions.js'
import type { Login } from './auth.schema.js'

export class AuthService {
  constructor(
    private readonly agents: AgentService,
    private readonly sessions: AgentSessions,
  ) {}

  /** @throws 401 for a wrong name or password and for an inactive agent, which nobody can tell apart */
  async logIn(workspace: Owner, input: Login): Promise<{ agent: Agent; tokens: SessionTokens }> {
    const agent = await this.agents.findByUsername(workspace, input.username)
    const isRight = await isPassword(input.password, agent?.password_hash)
    if (!agent || !isRight || !agent.is_active) throw unauthorized('Invalid username or password')
    return { agent, tokens: await this.sessions.open(agent, input.device_id) }
  }

  /** The agent of an access token, and when that ends. @throws 401 */
  async verify(workspace: Owner, token: string): Promise<{ agent: Agent; expiresAt: number }> {
    const actor = await knownToken(async () => this.sessions.check(workspace.id, token))
    const agent = actor && (await this.agents.find(workspace, actor.id))
    if (!agent) throw unauthorized('The token is missing or invalid')
    return { agent, expiresAt: actor.expires_at }
  }

  /** @throws 401 */
  async refresh(workspace: Owner, refreshToken: string, deviceId: string): Promise<SessionTokens> {
    const tokens = await knownToken(async () => this.sessions.refresh(workspace.id, refreshToken, deviceId))
    if (!tokens) throw unauthorized('The refresh token is invalid, expired or used')
    return tokens
  }
}

async function knownToken<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof TokenError) return null
    throw error
  }
}
