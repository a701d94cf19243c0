/**
 * Mails that notify agents of changes of their account: its e-mail, username, password or admin rights. The notice of a
 * changed e-mail goes to the old address, which also gets all notices and password resets of the next 24 hours: so a stolen
 * session cannot take over an account unnoticed.
 */
import type { Logger } from 'pino'
import type { EntityManager } from 'typeorm'
import type { Agent } from '../agents/agent.entity.js'
import { currentOrigin } from '../../infrastructure/database/audit.js'
import { deleteInBatches } from '../../infrastructure/database/batches.js'
import { type Database, afterCommit } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { type Job, OutboxWorker, addJob } from '../../infrastructure/database/outbox.js'
import type { Tenant } from '../../infrastructure/http/endpoint.js'
import { isMailGivenUp, mailJobs } from '../../infrastructure/mail/mail-jobs.js'
import type { Mailer } from '../../infrastructure/mail/mailer.js'
import { type AccountChange, noticeMail } from './notice-mail.js'

interface Parts {
  database: Database
  findWorkspace(id: string): Promise<Tenant | null>
  mailer: Mailer
  log: Logger
}

interface Payload {
  workspace_id: string
  to: string
  display_name: string
  username: string
  changes: AccountChange[]
  /** Whether the agent made the change. */
  by_agent: boolean
  ip: string | null
  at: string
}

const noticeJob = 'auth.notice-mail'

/** For this time, in milliseconds, an agent's former address gets the same mails as the present one. */
const formerMs = 86_400_000
/** A notice that no mail server has taken by then is out of date. */
const giveUpMs = 86_400_000
const longestPauseMs = 300_000

export class AccountNotices {
  private readonly worker: OutboxWorker

  constructor(private readonly parts: Parts) {
    this.worker = new OutboxWorker(
      parts.database,
      noticeJob,
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

  /** Adds the mails about a change to its transaction, and keeps the address that it replaces. */
  async notifyOfChange(tx: EntityManager, before: Agent, after: Agent): Promise<void> {
    const changes = changesBetween(before, after)
    if (changes.length === 0) return
    const former = await this.formerOf(before.id, tx)
    const present = changes.includes('email') ? before.email : after.email
    if (changes.includes('email') && before.email !== null) await keepFormer(tx, before, former)
    if (!this.parts.mailer.isConfigured) return
    const { kind, id, ip } = currentOrigin()
    const addresses = new Set([present, former].flatMap((address) => address ?? []))
    for (const to of addresses) {
      const payload: Payload = {
        ...{ workspace_id: after.workspace_id, to, changes, ip },
        ...{ display_name: after.display_name, username: before.username },
        by_agent: kind === 'agent' && id === after.id,
        at: new Date().toISOString(),
      }
      const { workspace_id } = after
      await addJob(tx, { id: newId('job'), kind: noticeJob, workspace_id, payload, created_at: new Date() })
    }
    afterCommit(tx, () => this.worker.wake())
  }

  /** The address that an agent had until its e-mail was changed within the last 24 hours. */
  async formerOf(
    agentId: string,
    tx: EntityManager = this.parts.database.source.manager,
  ): Promise<string | null> {
    const [row]: { email: string }[] = await tx.query(
      'SELECT email FROM agent_former_emails WHERE agent_id = ? AND changed_at > ?',
      [agentId, new Date(Date.now() - formerMs)],
    )
    return row?.email ?? null
  }

  /** Forgets addresses that get nothing any more. */
  async sweep(): Promise<void> {
    const before = new Date(Date.now() - formerMs)
    await deleteInBatches(this.parts.database, 'agent_former_emails', 'changed_at < ?', [before])
  }

  private async work(job: Job): Promise<void> {
    const { workspace_id, ...notice } = job.payload as Payload
    const workspace = await this.parts.findWorkspace(workspace_id)
    if (!workspace) return
    try {
      await this.parts.mailer.send(noticeMail({ ...notice, workspace: workspace.title }))
    } catch (error) {
      if (!isMailGivenUp(error, job, giveUpMs)) throw error
      this.parts.log.warn(
        { event: 'account.notice_given_up', err: error, job: job.id },
        'the notice of a change of an account is given up',
      )
    }
  }
}

/** Keeps the first of the addresses that an agent had within a day: a second change must not wash it out. */
async function keepFormer(
  tx: EntityManager,
  { id, workspace_id, email }: Agent,
  former: string | null,
): Promise<void> {
  await tx.query(
    `INSERT INTO agent_former_emails (agent_id, workspace_id, email, changed_at) VALUES (?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE email = VALUES(email), changed_at = VALUES(changed_at)`,
    [id, workspace_id, former ?? email, new Date()],
  )
}

function changesBetween(before: Agent, after: Agent): AccountChange[] {
  const changes: AccountChange[] = []
  if (before.email !== after.email) changes.push('email')
  if (before.username !== after.username) changes.push('username')
  if (before.password_hash !== after.password_hash) changes.push('password')
  if (!before.is_admin && after.is_admin) changes.push('admin')
  return changes
}
