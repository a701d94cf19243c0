/**
 * Invitations: links at which agents set a password by themselves, and are signed in. Each is good for one use within a
 * day, and replaces the one before. Nothing that could be used is stored: the token is signed, and names the row and the
 * password that the agent had.
 */
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { type EntityManager, In, MoreThan } from 'typeorm'
import { actingAsAgent, recordChange } from '../../infrastructure/database/audit.js'
import { deleteInBatches } from '../../infrastructure/database/batches.js'
import { type Database, afterCommit } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { type Job, OutboxWorker, addJob } from '../../infrastructure/database/outbox.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { Tenant } from '../../infrastructure/http/endpoint.js'
import { conflict, invalidField, notFound } from '../../infrastructure/http/errors.js'
import type { PublicUrls } from '../../infrastructure/http/public-urls.js'
import { isMailGivenUp, mailJobs } from '../../infrastructure/mail/mail-jobs.js'
import type { Mailer } from '../../infrastructure/mail/mailer.js'
import { type Claims, TokenError, type Tokens, lifetimes } from '../../infrastructure/tokens/tokens.js'
import { type AdminGuard, unguarded } from '../agents/admin-guard.js'
import type { Agent } from '../agents/agent.entity.js'
import type { AgentService } from '../agents/agent.service.js'
import { AgentInvitation } from './agent-invitation.entity.js'
import { stampOf } from './credential-stamp.js'
import { invitationMail } from './invitation-mail.js'

interface Parts {
  database: Database
  agents: AgentService
  findWorkspace(id: string): Promise<Tenant | null>
  tokens: Tokens
  urls: PublicUrls
  mailer: Mailer
  log: Logger
}

interface InvitationClaims extends Claims {
  invitation_id: string
  /** The password that the agent had: see {@link stampOf}. */
  stamp: string
}

interface InviteOptions {
  guard?: AdminGuard
  /** Whether the platform's audit log notes it, too: the operator invites. */
  byOperator?: boolean
}

export interface Invitation {
  agent: Agent
  link: string
  expires_at: Date
  /** The address that gets the link by mail, too; null without one, or without a mail server. */
  sent_to: string | null
}

const mailJob = 'auth.invitation-mail'
const longestPauseMs = 300_000
const lifetimeMs = lifetimes.invitation * 1000

const notValid = () =>
  invalidField('token', 'token must be one of the newest link of the last 24 hours, not used yet')

export class Invitations {
  private readonly worker: OutboxWorker

  constructor(private readonly parts: Parts) {
    this.worker = new OutboxWorker(
      parts.database,
      mailJob,
      async (job) => this.work(job),
      mailJobs(longestPauseMs),
      parts.log,
    )
  }

  start(): void {
    this.worker.start()
  }

  async stop(): Promise<void> {
    await this.worker.stop()
  }

  /**
   * Makes an agent's link, in place of one that it had.
   * @throws 404 unknown, 403 by the guard, 409 when the agent is inactive
   */
  async invite(
    workspace: Owner,
    agentId: string,
    { guard = unguarded, byOperator = false }: InviteOptions = {},
  ): Promise<Invitation> {
    const { agents, database, mailer } = this.parts
    const agent = await agents.get(workspace, agentId)
    guard(agent)
    if (!agent.is_active) throw conflict('The agent is inactive')
    const now = Date.now()
    const row: AgentInvitation = {
      ...{ agent_id: agent.id, workspace_id: workspace.id, id: newId('inv') },
      ...{ created_at: new Date(now), expires_at: new Date(now + lifetimeMs) },
    }
    const sent_to = mailer.isConfigured ? agent.email : null
    await database.transaction(async (tx) => {
      await tx.upsert(AgentInvitation, row, ['agent_id'])
      const target = { type: 'agent', id: agent.id, name: agent.display_name }
      for (const workspace_id of byOperator ? [workspace.id, null] : [workspace.id])
        await recordChange(tx, { workspace_id, action: 'agent.invite', target })
      if (sent_to === null) return
      const payload = { agent_id: agent.id, id: row.id }
      await addJob(tx, {
        ...{ id: newId('job'), kind: mailJob, workspace_id: workspace.id },
        ...{ payload, created_at: row.created_at },
      })
      afterCommit(tx, () => this.worker.wake())
    })
    return { agent, link: this.linkOf(agent, row), expires_at: row.expires_at, sent_to }
  }

  /**
   * The first administrator of a workspace, or another one, without a password yet.
   * @throws 409 when an agent of the name is no administrator, or inactive
   */
  async inviteAdministrator(
    workspace: Tenant,
    { username, display_name, email }: { username: string; display_name?: string; email?: string | null },
  ): Promise<Invitation> {
    const { agents } = this.parts
    const known = await agents.findByUsername(workspace, username)
    if (known && !known.is_admin) throw conflict(`The agent ${username} is no administrator`)
    const agent =
      known ??
      (await agents.create(workspace, {
        ...{ username, display_name: display_name ?? username, email: email ?? null },
        ...{ password: randomBytes(36).toString('base64url'), role: 'supervisor' },
        ...{ is_active: true, is_admin: true, voicemail_by_email: false },
      }))
    return this.invite(workspace, agent.id, { byOperator: true })
  }

  /** Ends an agent's link. @throws 404 when there is none, 403 by the guard */
  async revoke(
    workspace: Owner,
    agentId: string,
    { guard = unguarded, byOperator = false }: InviteOptions = {},
  ): Promise<AgentInvitation> {
    const agent = await this.parts.agents.get(workspace, agentId)
    guard(agent)
    return this.parts.database.transaction(async (tx) => {
      const row = await tx.findOneBy(AgentInvitation, { agent_id: agentId, workspace_id: workspace.id })
      if (!row) throw notFound('The agent has no invitation')
      await tx.delete(AgentInvitation, { agent_id: agentId, id: row.id })
      const target = { type: 'agent', id: agentId, name: agent.display_name }
      for (const workspace_id of byOperator ? [workspace.id, null] : [workspace.id])
        await recordChange(tx, { workspace_id, action: 'agent.uninvite', target })
      return row
    })
  }

  /** When the links of agents end that have one. */
  async open(workspace: Owner, agentIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    if (agentIds.length === 0) return new Map()
    const rows = await this.table.findBy({
      ...{ agent_id: In([...agentIds]), workspace_id: workspace.id },
      expires_at: MoreThan(new Date()),
    })
    return new Map(rows.map(({ agent_id, expires_at }) => [agent_id, expires_at]))
  }

  /** The agent who may set a password with a token, and until when. @throws 400 when it does not hold */
  async check(workspace: Owner, token: string): Promise<{ agent: Agent; expires_at: Date }> {
    const { sub, invitation_id, stamp } = this.read(workspace, token)
    const where = { agent_id: sub, workspace_id: workspace.id, expires_at: MoreThan(new Date()) }
    const [row, agent] = await Promise.all([
      this.table.findOneBy(where),
      this.parts.agents.find(workspace, sub),
    ])
    if (row?.id !== invitation_id || !agent?.is_active || stampOf(agent.password_hash) !== stamp)
      throw notValid()
    return { agent, expires_at: row.expires_at }
  }

  /** Sets the password of the agent whose token it is; the token ends with that. @throws 400 when it does not hold */
  async accept(workspace: Owner, token: string, password: string): Promise<Agent> {
    const { agent } = await this.check(workspace, token)
    const stamp = stampOf(agent.password_hash)
    const check = (now: Agent | null) => {
      if (!now?.is_active || stampOf(now.password_hash) !== stamp) throw notValid()
    }
    const { agents } = this.parts
    return actingAsAgent(agent.id, async () => agents.setPassword(workspace, agent.id, password, { check }))
  }

  /** Ends the link of an agent whose password is set, or who is made inactive, in the transaction of that. */
  async endWith(tx: EntityManager, before: Agent, after: Agent): Promise<void> {
    if (before.password_hash === after.password_hash && after.is_active) return
    await tx.delete(AgentInvitation, { agent_id: after.id })
  }

  /** Removes links whose time is over. */
  async sweep(): Promise<void> {
    await deleteInBatches(this.parts.database, 'agent_invitations', 'expires_at < ?', [new Date()])
  }

  private get table() {
    return this.parts.database.platformTable(AgentInvitation)
  }

  private linkOf(agent: Agent, { id, workspace_id }: Pick<AgentInvitation, 'id' | 'workspace_id'>): string {
    const claims: InvitationClaims = {
      sub: agent.id,
      workspace_id,
      invitation_id: id,
      stamp: stampOf(agent.password_hash),
    }
    const { token } = this.parts.tokens.sign('invitation', claims)
    return this.parts.urls.page(workspace_id, `/welcome#${token}`)
  }

  private read(workspace: Owner, token: string): InvitationClaims {
    try {
      const claims = this.parts.tokens.read('invitation', token) as unknown as InvitationClaims
      if (claims.workspace_id === workspace.id) return claims
    } catch (error) {
      if (!(error instanceof TokenError)) throw error
    }
    throw notValid()
  }

  /** Sends the mail, unless the link has ended meanwhile. */
  private async work({ id: job, payload, workspace_id, created_at }: Job): Promise<void> {
    const { agent_id, id } = payload as { agent_id: string; id: string }
    const { agents, mailer, log } = this.parts
    const workspace = await this.parts.findWorkspace(workspace_id ?? '')
    const agent = workspace && (await agents.find(workspace, agent_id))
    const row = await this.table.findOneBy({ agent_id, id, expires_at: MoreThan(new Date()) })
    if (!workspace || !agent?.is_active || !agent.email || !row) return
    const { display_name: displayName, username, email: to } = agent
    const link = this.linkOf(agent, row)
    try {
      await mailer.send(invitationMail({ to, displayName, username, workspace: workspace.title, link }))
    } catch (error) {
      if (!isMailGivenUp(error, { created_at }, lifetimeMs)) throw error
      log.warn(
        { event: 'account.invitation_mail_given_up', err: error, job },
        'the mail of an invitation is given up',
      )
    }
  }
}
