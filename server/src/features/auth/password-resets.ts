/**
 * Password resets: a mail with a link, whose token is good for one change of the password.
 *
 * A request is answered before the agent is looked up, so that neither the answer nor its time reveals whether there is
 * one: a job does the look-up. A token names the password and the e-mail that the agent had, and so ends with either of
 * them.
 */
import type { Logger } from 'pino'
import type { Agent } from '../agents/agent.entity.js'
import type { AgentService } from '../agents/agent.service.js'
import { actingAsAgent } from '../../infrastructure/database/audit.js'
import type { Database } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { type Job, OutboxWorker, addJob } from '../../infrastructure/database/outbox.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { Tenant } from '../../infrastructure/http/endpoint.js'
import { ApiError, invalidField } from '../../infrastructure/http/errors.js'
import { isMailGivenUp, mailJobs } from '../../infrastructure/mail/mail-jobs.js'
import type { Mailer } from '../../infrastructure/mail/mailer.js'
import { type Claims, type Tokens, TokenError, lifetimes } from '../../infrastructure/tokens/tokens.js'
import type { AccountNotices } from './account-notices.js'
import { Attempts } from './attempts.js'
import { stampOf } from './credential-stamp.js'
import { resetMail } from './reset-mail.js'

interface Parts {
  database: Database
  agents: AgentService
  findWorkspace(id: string): Promise<Tenant | null>
  notices: Pick<AccountNotices, 'formerOf'>
  tokens: Tokens
  mailer: Mailer
  log: Logger
}

/** Kind of the jobs. */
const mailJob = 'auth.reset-mail'

interface Payload {
  workspace_id: string
  username: string
  email: string
}

interface ResetClaims extends Claims {
  /** The credentials that the agent had: see {@link stampOfReset}. */
  stamp: string
}

const lifetimeMs = lifetimes['password-reset'] * 1000
/** All of their links hold: who gets no further mail has enough of them. */
const mailsAnAgent = { max: 5, windowMs: lifetimeMs }
const longestPauseMs = 60_000

const notValid = () =>
  invalidField('token', 'token must be one of a mail of the last 30 minutes, not used yet')

export class PasswordResets {
  private readonly worker: OutboxWorker
  private readonly mails = new Attempts(mailsAnAgent)

  /** @param link where agents set their passwords, with `{workspace}` and `{token}`; empty where mail is not configured */
  constructor(
    private readonly parts: Parts,
    private readonly link: string,
  ) {
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

  /** Sends a link if username and e-mail are those of an active agent; the caller does not learn whether they are. */
  async request(workspace: Owner, { username, email }: { username: string; email: string }): Promise<void> {
    const { database, log } = this.parts
    if (!this.isConfigured) {
      log.warn(
        { event: 'account.reset_without_mail', workspace: workspace.id },
        'a password reset was asked for, and no mail server is configured',
      )
      return
    }
    const payload: Payload = { workspace_id: workspace.id, username, email }
    const job = { id: newId('job'), kind: mailJob, workspace_id: workspace.id, payload }
    await addJob(database.source.manager, { ...job, created_at: new Date() })
    this.worker.wake()
  }

  /**
   * Sets the password of the agent whose token it is, and ends their sessions.
   * @throws 400 when the token does not hold, 500 when resets are not configured
   */
  async reset(workspace: Owner, token: string, password: string): Promise<Agent> {
    if (!this.isConfigured) throw new ApiError(500, 'Password reset is not configured on this server')
    const { sub, stamp } = this.read(workspace, token)
    const check = (agent: Agent | null) => {
      if (!agent?.is_active || stampOfReset(agent) !== stamp) throw notValid()
    }
    const { agents } = this.parts
    // Before the work of a new hash, and again under the lock of the change.
    check(await agents.find(workspace, sub))
    return actingAsAgent(sub, async () => agents.setPassword(workspace, sub, password, { check }))
  }

  /** Whether links can be mailed. */
  get isConfigured(): boolean {
    return this.parts.mailer.isConfigured
  }

  private read(workspace: Owner, token: string): ResetClaims {
    try {
      const claims = this.parts.tokens.read('password-reset', token) as unknown as ResetClaims
      if (claims.workspace_id === workspace.id) return claims
    } catch (error) {
      if (!(error instanceof TokenError)) throw error
    }
    throw notValid()
  }

  /** Tries again for as long as somebody may wait for the mail. */
  private async work(job: Job): Promise<void> {
    try {
      await this.send(job.payload as Payload)
    } catch (error) {
      if (!isMailGivenUp(error, job, lifetimeMs)) throw error
      this.parts.log.warn(
        { event: 'account.reset_mail_given_up', err: error, job: job.id },
        'the mail of a password reset is given up',
      )
    }
  }

  private async send({ workspace_id, username, email }: Payload): Promise<void> {
    const { agents, mailer, tokens } = this.parts
    const workspace = await this.parts.findWorkspace(workspace_id)
    if (!workspace) return
    const agent = await agents.findByUsername(workspace, username)
    if (!agent?.is_active) return
    // An address that was replaced within the last day still counts: an intruder may have replaced it.
    const addresses = [agent.email, await this.parts.notices.formerOf(agent.id)].flatMap((one) => one ?? [])
    if (!addresses.some((address) => address.toLowerCase() === email.toLowerCase())) return
    if (this.mails.pauseOf(agent.id) > 0) return
    const claims: ResetClaims = { sub: agent.id, workspace_id, stamp: stampOfReset(agent) }
    const { token } = tokens.sign('password-reset', claims)
    const link = this.link.replaceAll('{workspace}', workspace_id).replaceAll('{token}', token)
    const { display_name: displayName } = agent
    // To the stored addresses: the one in the request may be a look-alike.
    for (const to of new Set(addresses)) {
      await mailer.send(resetMail({ to, displayName, username, workspace: workspace.title, link }))
    }
    this.mails.add(agent.id)
  }
}

/** Changes whenever the agent's password or e-mail does. */
function stampOfReset({ password_hash, email }: Agent): string {
  return stampOf(password_hash, email ?? '')
}
