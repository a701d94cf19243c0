/** Log-ins of agents, their refresh and their end. */
import type { Agent } from '../agents/agent.entity.js'
import type { AgentService } from '../agents/agent.service.js'
import { isPassword } from '../agents/passwords.js'
import { type Change, actingAsAgent, currentOrigin } from '../../infrastructure/database/audit.js'
import type { AuditTrail } from '../../infrastructure/database/audit-trail.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { sourceOf } from '../../infrastructure/http/client-address.js'
import { RateLimitError, notFound, unauthorized } from '../../infrastructure/http/errors.js'
import { TokenError } from '../../infrastructure/tokens/tokens.js'
import type { AgentSessions, SessionTokens } from './agent-sessions.js'
import type { Login, Refresh } from './auth.schema.js'
import type { KnownDevices } from './known-devices.js'
import type { Guess, LogInGuard } from './log-in-guard.js'
import { maskedEmail } from './masked-email.js'
import type { PasswordResets } from './password-resets.js'

const wrongLogin = () => unauthorized('Invalid username or password')

export class AuthService {
  constructor(
    private readonly agents: AgentService,
    private readonly sessions: AgentSessions,
    private readonly resets: PasswordResets,
    private readonly devices: KnownDevices,
    private readonly guard: LogInGuard,
    private readonly trail: Pick<AuditTrail, 'note'>,
  ) {}

  /**
   * @throws 401 for a wrong name or password and for an inactive agent, with the same answer; 429 after too many of them,
   * whether or not there is an agent of the name
   */
  async logIn(workspace: Owner, input: Login): Promise<{ agent: Agent; tokens: SessionTokens }> {
    const isKnown = await this.devices.has(workspace, input.username, input.device_id)
    const guess = guessOf(workspace, input.username, isKnown ? input.device_id : null)
    await this.held(guess, async () => this.guard.take(guess))
    const agent = await this.agents.findByUsername(workspace, input.username)
    const isRight = await this.held(guess, async () =>
      isPassword(input.password, agent?.password_hash, () => this.guard.check(guess)),
    )
    const tokens =
      agent && isRight && agent.is_active ? await this.sessions.open(agent, input.device_id) : null
    if (!agent || !tokens) {
      await this.guard.failed(guess)
      await this.note('agent.login_failed', guess, agent)
      throw wrongLogin()
    }
    await this.guard.succeeded(guess)
    await this.devices.remember(agent, input.device_id)
    await actingAsAgent(agent.id, async () =>
      this.note('agent.login', guess, agent, { known_device: { to: isKnown } }),
    )
    return { agent, tokens }
  }

  /**
   * Checks the password of an agent who is logged in; wrong ones are counted by session, and together with log-ins from
   * the same source.
   * @throws 429
   */
  async knowsPassword(
    workspace: Owner,
    { username, password_hash }: Agent,
    password: string,
    sessionId: string,
  ): Promise<boolean> {
    const guess = guessOf(workspace, username, null)
    await this.held(guess, async () => this.guard.takeWithin(sessionId, guess))
    const isRight = await isPassword(password, password_hash)
    if (!isRight) await this.note('agent.password_failed', guess)
    if (isRight) await this.guard.succeededWithin(sessionId, guess)
    return isRight
  }

  /**
   * By what log-ins are counted, beside their source: the device, when it is a known one of the agent, so that others at
   * the same address do not use up what it may do; the username otherwise.
   */
  async countedBy(workspace: Owner, username: string, deviceId: string): Promise<string> {
    const isKnown = await this.devices.has(workspace, username, deviceId)
    return `${workspace.id} ${username} ${isKnown ? `device ${deviceId}` : ''}`
  }

  /** The agent of an access token, and when that ends. @throws 401 */
  async verify(workspace: Owner, token: string): Promise<{ agent: Agent; expiresAt: number }> {
    const actor = await knownToken(async () => this.sessions.check(workspace.id, token))
    const agent = actor && (await this.agents.find(workspace, actor.id))
    if (!agent) throw unauthorized('The token is missing or invalid')
    return { agent, expiresAt: actor.expires_at }
  }

  /** @throws 401 */
  async refresh(
    workspace: Owner,
    { refresh_token, device_id }: Refresh,
    key: string | undefined,
  ): Promise<SessionTokens> {
    const tokens = await knownToken(async () =>
      this.sessions.refresh(workspace.id, refresh_token, device_id, key),
    )
    if (!tokens) throw unauthorized('The refresh token is invalid, expired or used')
    return tokens
  }

  /** The masked e-mail of an active agent. @throws 404 */
  async emailHint(workspace: Owner, username: string): Promise<string> {
    const agent = await this.agents.findByUsername(workspace, username)
    if (!agent?.is_active || !agent.email) throw notFound('No agent of this name has an e-mail')
    return maskedEmail(agent.email)
  }

  /** Sets a forgotten password, and clears the count of wrong guesses at the old one. @throws 400, 500 */
  async resetPassword(workspace: Owner, token: string, password: string): Promise<void> {
    const agent = await this.resets.reset(workspace, token, password)
    await this.guard.succeeded(guessOf(workspace, agent.username, null))
  }

  /**
   * Logs in an agent who has just set the password by a link.
   * @throws 401 when the account has changed since
   */
  async logInWith(workspace: Owner, agent: Agent, deviceId: string): Promise<SessionTokens> {
    const guess = guessOf(workspace, agent.username, null)
    await this.guard.succeeded(guess)
    const tokens = await this.sessions.open(agent, deviceId)
    if (!tokens) throw wrongLogin()
    await this.devices.remember(agent, deviceId)
    await actingAsAgent(agent.id, async () =>
      this.note('agent.login', guess, agent, { known_device: { to: false } }),
    )
    return tokens
  }

  /** Does what a guess may be held off from, which is noted. */
  private async held<T>(guess: Guess, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof RateLimitError) await this.note('agent.locked_out', guess)
      throw error
    }
  }

  private async note(
    action: string,
    { workspace, username }: Guess,
    agent: Pick<Agent, 'id'> | null = null,
    changes: Change['changes'] = {},
  ): Promise<void> {
    const target = { type: 'agent', id: agent?.id ?? '', name: username }
    await this.trail.note({ workspace_id: workspace.id, action, target, changes })
  }
}

/** A guess at a password from where the request under way comes from. */
function guessOf(workspace: Owner, username: string, knownDevice: string | null): Guess {
  return { workspace, username, knownDevice, source: sourceOf(currentOrigin().ip ?? '') }
}

async function knownToken<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof TokenError) return null
    throw error
  }
}
