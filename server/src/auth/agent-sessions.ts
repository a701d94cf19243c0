/**
 * Log-ins of agents. A session has one valid refresh token at a time: each use puts the next in its place, and one that
 * comes again has been stolen, so that the session ends (RFC 9700, section 4.14.2).
 */
import { EventEmitter } from 'node:events'
import { type EntityManager, LessThan } from 'typeorm'
import type { Agent } from '../agents/agent.entity.js'
import type { Database } from '../database/database.js'
import { newId } from '../database/ids.js'
import type { AgentActor } from '../http/endpoint.js'
import { type Claims, type ReadClaims, type Tokens, TokenError, lifetimes } from '../tokens/tokens.js'
import { AgentSession } from './agent-session.entity.js'

/** Claims of access and refresh tokens. */
export interface SessionClaims extends Claims {
  session_id: string
  /** Of a refresh token: which of the session's it is. */
  refresh_id?: string
}

type ReadSession = SessionClaims & ReadClaims

export interface SessionTokens {
  access_token: string
  refresh_token: string
  /** When the access token ends, in milliseconds since 1970. */
  expires_at: number
}

/** Devices on which an agent may be logged in; the one not used for longest makes room. */
const maxSessions = 20

/** A session that was checked is trusted for this long; one that ends on this server is forgotten at once. */
const cachedMs = 2_000
const maxCached = 10_000

type CheckedAgent = Omit<AgentActor, 'kind' | 'expires_at'>

interface SessionEvents {
  /** A session of this server has ended before its time. */
  ended: [sessionId: string]
}

export class AgentSessions extends EventEmitter<SessionEvents> {
  private readonly cache = new Map<string, { agent: CheckedAgent; until: number }>()

  constructor(
    private readonly database: Database,
    private readonly tokens: Tokens,
  ) {
    super()
  }

  /** Begins a session; one that the device had before ends. */
  async open(agent: Agent, deviceId: string): Promise<SessionTokens> {
    const now = new Date()
    const { session, ended } = await this.database.transaction(async (tx) => {
      const owner = { workspace_id: agent.workspace_id, agent_id: agent.id }
      const held = await tx.find(AgentSession, {
        where: owner,
        order: { refreshed_at: 'DESC' },
        lock: { mode: 'pessimistic_write' },
      })
      const kept = held.filter(({ device_id }) => device_id !== deviceId).slice(0, maxSessions - 1)
      const ended = held.filter((one) => !kept.includes(one))
      for (const { id } of ended) await tx.delete(AgentSession, { id })
      const session: AgentSession = {
        ...{ id: newId('ses'), ...owner, device_id: deviceId, refresh_id: newId('ses') },
        ...{ created_at: now, refreshed_at: now, expires_at: endOfSession(now) },
      }
      await tx.insert(AgentSession, session)
      return { session, ended }
    })
    for (const { id } of ended) this.forget(id)
    return this.tokensOf(session)
  }

  /**
   * Puts new tokens in the place of those that a session had.
   * @throws {TokenError} the token does not hold, was used before (then its session has ended), or is another device's
   */
  async refresh(workspaceId: string, refreshToken: string, deviceId: string): Promise<SessionTokens> {
    const claims = this.tokens.read('agent-refresh', refreshToken) as ReadSession
    if (claims.workspace_id !== workspaceId) throw new TokenError('invalid')
    const refreshed = await this.database.transaction(async (tx) => {
      const session = await tx.findOne(AgentSession, {
        where: { id: claims.session_id, workspace_id: workspaceId },
        lock: { mode: 'pessimistic_write' },
      })
      if (!session || session.device_id !== deviceId || !(await this.isActive(tx, session))) return null
      if (session.refresh_id !== claims.refresh_id) {
        await tx.delete(AgentSession, { id: session.id })
        return null
      }
      const now = new Date()
      const next = { refresh_id: newId('ses'), refreshed_at: now, expires_at: endOfSession(now) }
      await tx.update(AgentSession, { id: session.id }, next)
      return { ...session, ...next }
    })
    if (refreshed) return this.tokensOf(refreshed)
    this.forget(claims.session_id)
    throw new TokenError('invalid')
  }

  /** The agent whose session an access token is of; null when it has ended, or the agent is not active. */
  async check(workspaceId: string, token: string): Promise<AgentActor | null> {
    const { session_id, exp, ...claims } = this.tokens.read('agent-api', token) as ReadSession
    if (claims.workspace_id !== workspaceId) return null
    const agent = await this.find(workspaceId, session_id)
    return agent && { kind: 'agent', ...agent, expires_at: exp * 1000 }
  }

  /** Those of the sessions that last, and whose agents are active. */
  async lasting(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return []
    const rows: { id: string }[] = await this.database.source.query(
      `SELECT session.id FROM agent_sessions session
       JOIN agents agent ON agent.id = session.agent_id AND agent.is_active = 1 WHERE session.id IN (?)`,
      [ids],
    )
    return rows.map(({ id }) => id)
  }

  /** Ends the session that an agent has on a device. @returns whether there was one */
  async close(agent: Pick<AgentActor, 'id'>, workspaceId: string, deviceId: string): Promise<boolean> {
    const owner = { workspace_id: workspaceId, agent_id: agent.id, device_id: deviceId }
    const sessions = await this.database.platformTable(AgentSession).findBy(owner)
    for (const { id } of sessions) {
      await this.database.platformTable(AgentSession).delete({ id })
      this.forget(id)
    }
    return sessions.length > 0
  }

  /** Ends all sessions of an agent, or all but one. */
  async closeAll(
    tx: EntityManager,
    agent: Pick<Agent, 'workspace_id' | 'id'>,
    except?: string,
  ): Promise<void> {
    const owner = { workspace_id: agent.workspace_id, agent_id: agent.id }
    for (const { id } of await tx.findBy(AgentSession, owner)) {
      if (id === except) continue
      await tx.delete(AgentSession, { id })
      this.forget(id)
    }
  }

  /** Removes sessions whose time is over. */
  async sweep(): Promise<void> {
    await this.database.platformTable(AgentSession).delete({ expires_at: LessThan(new Date()) })
  }

  private tokensOf({ id, workspace_id, agent_id, refresh_id }: AgentSession): SessionTokens {
    const claims = { sub: agent_id, workspace_id, session_id: id }
    const access = this.tokens.sign('agent-api', claims)
    const refresh = this.tokens.sign('agent-refresh', { ...claims, refresh_id } as SessionClaims)
    return { access_token: access.token, refresh_token: refresh.token, expires_at: access.expiresAt }
  }

  private async find(workspaceId: string, sessionId: string): Promise<CheckedAgent | null> {
    const cached = this.cache.get(sessionId)
    if (cached && cached.until > Date.now()) return cached.agent
    const [agent]: CheckedAgent[] = await this.database.source.query(
      `SELECT agent.id, agent.username, agent.role, session.id AS session_id, session.device_id
       FROM agent_sessions session JOIN agents agent ON agent.id = session.agent_id
       WHERE session.id = ? AND session.workspace_id = ? AND agent.is_active = 1`,
      [sessionId, workspaceId],
    )
    if (!agent) return null
    if (this.cache.size >= maxCached) this.cache.clear()
    this.cache.set(sessionId, { agent, until: Date.now() + cachedMs })
    return agent
  }

  private async isActive(tx: EntityManager, { agent_id }: AgentSession): Promise<boolean> {
    const [agent] = await tx.query<{ is_active: number }[]>('SELECT is_active FROM agents WHERE id = ?', [
      agent_id,
    ])
    return Boolean(agent?.is_active)
  }

  private forget(sessionId: string): void {
    this.cache.delete(sessionId)
    this.emit('ended', sessionId)
  }
}

function endOfSession(now: Date): Date {
  return new Date(now.getTime() + lifetimes['agent-refresh'] * 1000)
}
