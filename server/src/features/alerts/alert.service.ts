/** Alerts: stored, sent to the workspace's webhooks, logged, and mailed to the operator. */
import type { Logger } from 'pino'
import type { EntityManager } from 'typeorm'
import { deleteInBatches } from '../../infrastructure/database/batches.js'
import { type Database, afterCommit } from '../../infrastructure/database/database.js'
import type { EventSink } from '../../infrastructure/database/events.js'
import { newId } from '../../infrastructure/database/ids.js'
import { type Job, OutboxWorker, addJob } from '../../infrastructure/database/outbox.js'
import { listPlatformRows } from '../../infrastructure/database/platform-list.js'
import type { ListRequest, Page } from '../../infrastructure/http/lists.js'
import { MailError, type Mailer } from '../../infrastructure/mail/mailer.js'
import { Alert, type AlertDetails, type AlertKind } from './alert.entity.js'

interface Parts {
  database: Database
  webhooks: EventSink
  mailer: Mailer
  /** Recipient of mails; empty: none are sent. */
  mailTo: string
  log: Logger
}

/** An alert to raise. */
export interface NewAlert {
  workspace_id: string
  kind: AlertKind
  period_began: Date
  /** ISO 3166-1, of the country that is called, where it is about one. */
  country_code?: string
  message: string
  details: AlertDetails
}

/** Which alerts are listed. */
interface AlertsRequest extends ListRequest {
  workspace_id?: string
  kind?: AlertKind
}

const mailJob = 'alert-mail'
const leaseMs = 10_000
const firstRetryMs = 2_000
const longestPauseMs = 60_000
const mailedAtOnce = 2

/** A mail that could not be sent for this time, in milliseconds, is given up. */
const staleMs = 3_600_000

const retainedMs = 90 * 86_400_000

/** Alerts that wait to be written, and that are known to be. */
const maxRemembered = 10_000

const retryMs = 2_000

export class AlertService {
  private readonly worker: OutboxWorker
  private readonly waiting = new Map<string, NewAlert>()
  private readonly raised = new Set<string>()
  private writing: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly parts: Parts) {
    this.worker = new OutboxWorker(
      parts.database,
      mailJob,
      async (job) => this.mail(job),
      {
        ...{ concurrency: mailedAtOnce, leaseMs, renewed: true },
        retryMs: (attempts) => Math.min(firstRetryMs * 2 ** attempts, longestPauseMs),
      },
      parts.log,
    )
  }

  start(): void {
    this.worker.start()
  }

  async stop(): Promise<void> {
    await this.writing
    clearTimeout(this.timer)
    await this.worker.stop()
  }

  /** {@link raise} without waiting: what cannot be written because of a fault is tried again. */
  raiseLater(alert: NewAlert): void {
    const key = keyOf(alert)
    if (this.raised.has(key) || this.waiting.size >= maxRemembered) return
    this.waiting.set(key, alert)
    this.write()
  }

  private write(): void {
    clearTimeout(this.timer)
    this.writing = this.writing.then(async () => this.writeWaiting())
  }

  private async writeWaiting(): Promise<void> {
    for (const [key, alert] of this.waiting) {
      try {
        await this.raise(alert)
      } catch (error) {
        this.parts.log.warn(
          { event: 'alert.delayed', err: error, workspace: alert.workspace_id, alert: alert.kind },
          'an alert waits',
        )
        this.timer = setTimeout(() => this.write(), retryMs)
        return
      }
      this.waiting.delete(key)
      if (this.raised.size >= maxRemembered) this.raised.clear()
      this.raised.add(key)
    }
  }

  /** Raises an alert once in its period, whichever server comes first. @returns whether it was new */
  async raise(alert: NewAlert): Promise<boolean> {
    return this.parts.database.transaction(async (tx) => this.record(tx, alert))
  }

  /** {@link raise} as part of a transaction. */
  async record(tx: EntityManager, alert: NewAlert): Promise<boolean> {
    const { workspace_id, kind, period_began, country_code = '', message, details } = alert
    const { webhooks, mailTo, mailer, log } = this.parts
    const id = newId('al')
    const created_at = new Date()
    const { affectedRows } = await tx.query<{ affectedRows: number }>(
      `INSERT IGNORE INTO alerts (id, workspace_id, kind, period_began, country_code, message, details, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [id, workspace_id, kind, period_began, country_code, message, JSON.stringify(details), created_at],
    )
    if (!affectedRows) return false
    const data = {
      ...{ alert_id: id, kind, message, period_began: period_began.toISOString() },
      ...{ country_code: country_code || null, details },
    }
    await webhooks.record(tx, [{ id: newId('evt'), event: 'alert.raised', workspace_id, created_at, data }])
    if (mailTo && mailer.isConfigured) {
      await addJob(tx, { id: newId('job'), kind: mailJob, payload: { alert_id: id }, created_at })
    }
    afterCommit(tx, () => {
      log.warn({ event: 'alert.raised', workspace: workspace_id, alert: kind }, message)
      this.worker.wake()
    })
    return true
  }

  async list({ workspace_id, kind, ...request }: AlertsRequest): Promise<Page<Alert>> {
    const only = { ...(workspace_id && { workspace_id }), ...(kind && { kind }) }
    return listPlatformRows(this.parts.database.platformTable(Alert), request, ['workspace_id', 'kind'], only)
  }

  /** Forgets what is older than 90 days. */
  async sweep(): Promise<void> {
    await deleteInBatches(this.parts.database, 'alerts', 'created_at < ?', [
      new Date(Date.now() - retainedMs),
    ])
  }

  private async mail(job: Job): Promise<void> {
    const { database, mailer, mailTo, log } = this.parts
    const { alert_id: id } = job.payload as { alert_id: string }
    const alert = await database.platformTable(Alert).findOneBy({ id })
    if (!alert || Date.now() - job.created_at.getTime() > staleMs) return
    const text = `${alert.message}\n\nWorkspace: ${alert.workspace_id}\nAlert: ${alert.kind}\nAt: ${alert.created_at.toISOString()}\n`
    try {
      await mailer.send({
        to: mailTo,
        subject: `Jackfield: ${alert.workspace_id}: ${alert.message}`,
        text,
        html: `<pre>${escaped(text)}</pre>`,
      })
    } catch (error) {
      if (!(error instanceof MailError) || !error.isFinal) throw error
      log.warn({ event: 'alert.mail_refused', err: error, alert: id }, 'an alert could not be mailed')
    }
  }
}

function keyOf({ workspace_id, kind, period_began, country_code = '' }: NewAlert): string {
  return `${workspace_id} ${kind} ${period_began.getTime()} ${country_code}`
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${String(sign.charCodeAt(0))};`)
}
