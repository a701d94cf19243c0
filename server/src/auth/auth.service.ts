/** Logging in, and what comes of it. */
import type { Agent } from '../agents/agent.entity.js'
import type { AgentService } from '../agents/agent.service.js'
import { isPassword } from '../agents/passwords.js'
import type { Owner } from '../database/workspace-table.js'
import type { SharedCounters } from '../http/shared-counters.js'
import { RateLimitError, notFound, unauthorized } from '../http/errors.js'
import { TokenError } from '../tokens/tokens.js'
import type { AgentSessions, SessionTokens } from './agent-sessions.js'
import { Attempts } from './attempts.js'
import type { Login, Refresh } from './auth.schema.js'
import { maskedEmail } from './masked-email.js'
import type { PasswordResets } from './password-resets.js'

/** Passwords that may be tried for a username, from however many addresses. */
const guesses = { max: 20, windowMs: 15 * 60_000 }

const wrongLogin = () => unauthorized('Invalid username or password')

export class AuthService {
  private readonly guesses: Attempts

  /** @param counters of several servers, so that a password is guessed no faster at all of them */
  constructor(
    private readonly agents: AgentService,
    private readonly sessions: AgentSessions,
    private readonly resets: PasswordResets,
    counters: SharedCounters | null,
  ) {
    this.guesses = new Attempts(guesses, counters && { counters, prefix: 'guesses:' })
  }

  /**
   * @throws 401 for a wrong name or password and for an inactive agent, which nobody can tell apart; 429 after too many
   * of them, whether or not there is an agent of the name
   */
  async logIn(workspace: Owner, input: Login): Promise<{ agent: Agent; tokens: SessionTokens }> {
    await this.countGuess(workspace, input)
    const agent = await this.agents.findByUsername(workspace, input.username)
    const isRight = await isPassword(input.password, agent?.password_hash)
    if (!agent || !isRight || !agent.is_active) throw wrongLogin()
    const tokens = await this.sessions.open(agent, input.device_id)
    if (!tokens) throw wrongLogin()
    await this.guesses.clear(guessedName(workspace, input))
    return { agent, tokens }
  }

  /** Whether a password is that of an agent who is logged in; wrong ones are counted with those of log-ins. @throws 429 */
  async knowsPassword(workspace: Owner, agent: Agent, password: string): Promise<boolean> {
    await this.countGuess(workspace, agent)
    const isRight = await isPassword(password, agent.password_hash)
    if (isRight) await this.guesses.clear(guessedName(workspace, agent))
    return isRight
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

  /** Sets a forgotten password; wrong guesses at the old one stand in nobody's way any more. @throws 400, 500 */
  async resetPassword(workspace: Owner, token: string, password: string): Promise<void> {
    const agent = await this.resets.reset(workspace, token, password)
    await this.guesses.clear(guessedName(workspace, agent))
  }

  /** Before the password is looked at: of many guesses at once, none may slip through. @throws 429 */
  private async countGuess(workspace: Owner, whose: { username: string }): Promise<void> {
    const pause = await this.guesses.take(guessedName(workspace, whose))
    if (pause > 0) throw new RateLimitError(guesses.max, pause, 'wrong passwords')
  }
}

function guessedName(workspace: Owner, { username }: { username: string }): string {
  return `${workspace.id} ${username}`
}

async function knownToken<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof TokenError) return null
    throw error
  }
}
