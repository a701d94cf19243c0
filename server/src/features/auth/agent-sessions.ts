/**
 * Log-ins of agents. A session has one valid refresh token at a time: each use replaces it, and a token that comes again
 * has been stolen, so that the session ends (RFC 9700, section 4.14.2). A client that names each use by a key of its own
 * may repeat it for a moment, as when the answer was lost.
 *
 * Code that ends sessions in a transaction calls {@link AgentSessions.reportEnded} once it is committed. Other servers learn
 * of it from the database, within the two seconds for which they cache what they have checked.
 */
import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { type EntityManager, type FindOptionsWhere, In, Not } from 'typeorm'
import { Agent } from '../agents/agent.entity.js'
import type { EndedSession } from '../agents/session-ender.js'
import { deleteInBatches } from '../../infrastructure/database/batches.js'
import type { Database } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import type { AgentActor } from '../../infrastructure/http/endpoint.js'
import { type Page, type ListRequest } from '../../infrastructure/http/lists.js'
import {
  type Claims,
  type ReadClaims,
  type Tokens,
  TokenError,
  lifetimes,
} from '../../infrastructure/tokens/tokens.js'
import { AgentSession } from './agent-session.entity.js'
import { type SessionAgent, SessionCache } from './session-cache.js'

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

/** Whose sessions are meant. */
export type SessionOwner = Pick<Agent, 'workspace_id' | 'id'>

/** How long a refresh may be repeated, in milliseconds. */
const repeatableMs = 60_000

/** Devices on which an agent may be logged in; the one not used for longest makes room. */
export const maxSessions = 20

/** A session that is ended before its time. */

interface SessionEvents {
  /** A session has ended before its time, on this server. */
  ended: [sessionId: string, session: EndedSession]
  /** A refresh token has come again, and its session has ended with that. */
  reused: [session: EndedSession]
}

/** Ends what goes with sessions, in the transaction that ends them. */
type EndWork = (tx: EntityManager, sessions: readonly EndedSession[]) => Promise<void>

export class AgentSessions extends EventEmitter<SessionEvents> {
  private readonly cache = new SessionCache()
  private readonly endWork: EndWork[] = []

  constructor(
    private readonly database: Database,
    private readonly tokens: Tokens,
  ) {
    super()
  }

  /** Adds what ends with sessions, but for those that a new log-in on their device replaces. */
  alsoEnd(work: EndWork): void {
    this.endWork.push(work)
  }

  /**
   * Begins a session; the previous one of the device ends.
   * @param agent as it was when its password was checked
   * @returns null when its password has changed since, or it is no longer active
   */
  async open(agent: Agent, deviceId: string): Promise<SessionTokens | null> {
    const now = new Date()
    const opened = await this.database.transaction(async (tx) => {
      if (!(await isUnchanged(tx, agent))) return null
      const held = await tx.find(AgentSession, { where: ownedBy(agent), order: { refreshed_at: 'DESC' } })
      const replaced = held.filter(({ device_id }) => device_id === deviceId)
      const surplus = held.filter((one) => !replaced.includes(one)).slice(maxSessions - 1)
      await removeRows(tx, replaced)
      await this.remove(tx, surplus)
      const session: AgentSession = {
        ...{ id: newId('ses'), ...ownedBy(agent), device_id: deviceId, refresh_id: newId('ses') },
        ...{ used_refresh_id: null, used_with: null },
        ...{ created_at: now, refreshed_at: now, expires_at: endOfSession(now) },
      }
      await tx.insert(AgentSession, session)
      return { session, ended: [...replaced, ...surplus] }
    })
    if (!opened) return null
    this.reportEnded(opened.ended)
    return this.tokensOf(opened.session)
  }

  /**
   * Puts new tokens in the place of those that a session had.
   * @param key names this use of the token: with the same one it may be repeated for a moment
   * @throws {TokenError} the token does not hold, was used before (then its session has ended), or is another device's
   */
  async refresh(
    workspaceId: string,
    refreshToken: string,
    deviceId: string,
    key?: string,
  ): Promise<SessionTokens> {
    const claims = this.tokens.read('agent-refresh', refreshToken) as ReadSession
    if (claims.workspace_id !== workspaceId) throw new TokenError('invalid')
    const { refreshed, ended, reused } = await this.database.transaction(async (tx) => {
      const session = await tx.findOne(AgentSession, {
        where: { id: claims.session_id, workspace_id: workspaceId },
        lock: { mode: 'pessimistic_write' },
      })
      const isNext = session?.refresh_id === claims.refresh_id
      const isRepeated = session !== null && !isNext && isRepetition(session, claims, key)
      if (session && !isNext && !isRepeated) {
        await this.remove(tx, [session])
        return { ended: [session], reused: session }
      }
      if (!session || session.device_id !== deviceId || !(await isActive(tx, session))) return { ended: [] }
      if (isRepeated) return { refreshed: session, ended: [] }
      const now = new Date()
      const next = {
        ...{ refresh_id: newId('ses'), refreshed_at: now, expires_at: endOfSession(now) },
        ...{ used_refresh_id: session.refresh_id, used_with: key === undefined ? null : fingerprint(key) },
      }
      await tx.update(AgentSession, { id: session.id }, next)
      return { refreshed: { ...session, ...next }, ended: [] }
    })
    this.reportEnded(ended)
    if (reused) this.emit('reused', reused)
    if (!refreshed) throw new TokenError('invalid')
    return this.tokensOf(refreshed)
  }

  /** The agent whose session an access token is of; null when it has ended, or the agent is not active. */
  async check(workspaceId: string, token: string): Promise<AgentActor | null> {
    const { session_id, exp, ...claims } = this.tokens.read('agent-api', token) as ReadSession
    if (claims.workspace_id !== workspaceId) return null
    const agent = await this.cache.get(session_id, async () => this.load(workspaceId, session_id))
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

  /** An agent's sessions, the latest used first. */
  async list(
    owner: SessionOwner,
    { page, limit }: Pick<ListRequest, 'page' | 'limit'>,
  ): Promise<Page<AgentSession>> {
    const [rows, total] = await this.table.findAndCount({
      where: ownedBy(owner),
      order: { refreshed_at: 'DESC', id: 'DESC' },
      skip: (page - 1) * limit,
      take: limit,
    })
    return { rows, total }
  }

  /** An agent's session. */
  async find(owner: SessionOwner, id: string): Promise<AgentSession | null> {
    return this.table.findOneBy({ ...ownedBy(owner), id })
  }

  /** Ends those of an agent's sessions that a condition names: the one of a device, or of an id. */
  async end(owner: SessionOwner, which: { device_id: string } | { id: string }): Promise<void> {
    const where = { ...ownedBy(owner), ...which }
    this.reportEnded(await this.database.transaction(async (tx) => this.removeWhere(tx, where)))
  }

  /**
   * Ends all sessions of an agent, or all but one.
   * @returns those that ended, for {@link reportEnded}
   */
  async closeAll(tx: EntityManager, owner: SessionOwner, except?: string): Promise<EndedSession[]> {
    return this.removeWhere(tx, { ...ownedBy(owner), ...(except !== undefined && { id: Not(except) }) })
  }

  /** Publishes the end of sessions once it is committed: what runs under them ends. */
  reportEnded(sessions: readonly EndedSession[]): void {
    for (const session of sessions) {
      this.cache.forget(session.id)
      this.emit('ended', session.id, session)
    }
  }

  /** Drops what is cached of an agent that has changed. */
  dropCached(agentId: string): void {
    this.cache.forgetAgent(agentId)
  }

  /** Removes sessions whose time is over. */
  async sweep(): Promise<void> {
    await deleteInBatches(this.database, 'agent_sessions', 'expires_at < ?', [new Date()])
  }

  private get table() {
    return this.database.platformTable(AgentSession)
  }

  private async removeWhere(
    tx: EntityManager,
    where: FindOptionsWhere<AgentSession>,
  ): Promise<EndedSession[]> {
    const sessions = await tx.findBy(AgentSession, where)
    await this.remove(tx, sessions)
    return sessions
  }

  private async remove(tx: EntityManager, sessions: readonly EndedSession[]): Promise<void> {
    if (sessions.length === 0) return
    await removeRows(tx, sessions)
    for (const work of this.endWork) await work(tx, sessions)
  }

  private tokensOf({ id, workspace_id, agent_id, refresh_id }: AgentSession): SessionTokens {
    const claims = { sub: agent_id, workspace_id, session_id: id }
    const access = this.tokens.sign('agent-api', claims)
    const refresh = this.tokens.sign('agent-refresh', { ...claims, refresh_id } as SessionClaims)
    return { access_token: access.token, refresh_token: refresh.token, expires_at: access.expiresAt }
  }

  private async load(workspaceId: string, sessionId: string): Promise<SessionAgent | null> {
    const [agent]: (Omit<SessionAgent, 'is_admin'> & { is_admin: number })[] =
      await this.database.source.query(
        `SELECT agent.id, agent.username, agent.role, agent.is_admin, session.id AS session_id, session.device_id
       FROM agent_sessions session JOIN agents agent ON agent.id = session.agent_id
       WHERE session.id = ? AND session.workspace_id = ? AND agent.is_active = 1`,
        [sessionId, workspaceId],
      )
    return agent ? { ...agent, is_admin: Boolean(agent.is_admin) } : null
  }
}

function ownedBy({ workspace_id, id }: SessionOwner): Pick<AgentSession, 'workspace_id' | 'agent_id'> {
  return { workspace_id, agent_id: id }
}

/** Locks the agent, so that a change that ends its sessions comes before this log-in, or finds its session. */
async function isUnchanged(tx: EntityManager, { workspace_id, id, password_hash }: Agent): Promise<boolean> {
  const now = await tx.findOne(Agent, {
    select: { id: true, password_hash: true, is_active: true },
    where: { id, workspace_id },
    lock: { mode: 'pessimistic_write' },
  })
  return now !== null && now.is_active && now.password_hash === password_hash
}

async function isActive(tx: EntityManager, { workspace_id, agent_id }: AgentSession): Promise<boolean> {
  return tx.existsBy(Agent, { id: agent_id, workspace_id, is_active: true })
}

async function removeRows(tx: EntityManager, sessions: readonly EndedSession[]): Promise<void> {
  if (sessions.length > 0) await tx.delete(AgentSession, { id: In(sessions.map(({ id }) => id)) })
}

/** Whether the last use of a refresh token is repeated with its key. */
function isRepetition(
  session: AgentSession,
  { refresh_id }: SessionClaims,
  key: string | undefined,
): boolean {
  const { used_refresh_id, used_with, refreshed_at } = session
  const isLate = Date.now() - refreshed_at.getTime() > repeatableMs
  return used_refresh_id === refresh_id && key !== undefined && used_with === fingerprint(key) && !isLate
}

function fingerprint(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function endOfSession(now: Date): Date {
  return new Date(now.getTime() + lifetimes['agent-refresh'] * 1000)
}
