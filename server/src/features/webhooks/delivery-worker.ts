/** Posts what is due to its webhooks, a bounded number at once for each, so that none waits for another’s slow server. */
import { In } from 'typeorm'
import type { Logger } from 'pino'
import { actingAsPlatform } from '../../infrastructure/database/audit.js'
import type { Database } from '../../infrastructure/database/database.js'
import { inBackground } from '../../infrastructure/database/pool-use.js'
import { RateLimitedFailureLog } from '../../lib/rate-limited-failure-log.js'
import { Places } from '../../lib/turns.js'
import { detached } from '../../infrastructure/observability/tracing-contexts.js'
import type { DeliveryAttempt } from './delivery-attempt.js'
import type { DeliveryQueue, DueWebhook } from './delivery-queue.js'
import type { QueuedDelivery } from './webhook-delivery.entity.js'
import { Webhook } from './webhook.entity.js'
import type { WebhookService } from './webhook.service.js'

interface Options {
  database: Database
  queue: DeliveryQueue
  attempt: DeliveryAttempt
  webhooks: WebhookService
  /** Longest time of an attempt, in milliseconds. */
  timeoutMs: number
  log: Logger
}

const atOnce = 100
const perWorkspace = 10
const perWebhook = 5
/** A webhook whose last attempt failed holds up no more than this. */
const perFailingWebhook = 1

const pollMs = 1_000

/** A woken worker waits this long, in milliseconds, for the transaction that woke it, and for others beside it. */
const gatherMs = 20

/** A lease outlives its attempt by the time that writing the outcome may take. */
const leaseMarginMs = 5_000

export class DeliveryWorker {
  private readonly running = new Set<Promise<void>>()
  private readonly places = new Places({ ofOwner: perWorkspace, inAll: atOnce })
  private readonly busy = new Counter()
  private pollTimer: NodeJS.Timeout | undefined
  private wakeTimer: NodeJS.Timeout | undefined
  private claiming: Promise<void> | undefined
  private again = false
  private stopped = true
  private readonly reading: RateLimitedFailureLog

  constructor(private readonly options: Options) {
    this.reading = new RateLimitedFailureLog(
      options.log,
      'webhook.queue_read_failed',
      'webhook queue cannot be read',
    )
  }

  start(): void {
    this.stopped = false
    this.pollTimer = setInterval(() => this.look(), pollMs)
    this.look()
  }

  /** Claims no more, and waits for the attempts under way. */
  async stop(): Promise<void> {
    this.stopped = true
    clearInterval(this.pollTimer)
    clearTimeout(this.wakeTimer)
    await this.claiming
    await Promise.all(this.running)
  }

  /** Looks for deliveries in a moment instead of at the next poll. */
  wake(): void {
    if (this.stopped) return
    this.wakeTimer ??= setTimeout(() => {
      this.wakeTimer = undefined
      this.look()
    }, gatherMs)
  }

  private look(): void {
    if (this.stopped) return
    if (this.claiming) {
      this.again = true
      return
    }
    this.again = false
    // A request may have woken us; what its deliveries change is not its doing.
    const claim = async () => inBackground('', async () => this.claimAll())
    this.claiming = actingAsPlatform(async () => detached(claim))
      .then(() => this.reading.succeeded())
      .catch((error: unknown) => this.reading.failed(error))
      .finally(() => {
        this.claiming = undefined
        if (this.again) this.look()
      })
  }

  private async claimAll(): Promise<void> {
    const { database, queue, webhooks } = this.options
    const due = await queue.due(new Date())
    if (due.length === 0) return
    const ids = due.map(({ webhook_id }) => webhook_id)
    const rows = await database.platformTable(Webhook).findBy({ id: In(ids) })
    const known = new Map(rows.map((row) => [row.id, row]))
    for (const one of due) {
      const webhook = known.get(one.webhook_id)
      if (!webhook) await webhooks.forget({ workspace_id: one.workspace_id, id: one.webhook_id })
      else if (webhook.is_active) await this.claim(one, webhook)
      if (this.stopped) return
    }
  }

  private async claim(due: DueWebhook, webhook: Webhook): Promise<void> {
    const most = (webhook.failing_since ? perFailingWebhook : perWebhook) - this.busy.of(webhook.id)
    const taken = this.places.takeUpTo(webhook.workspace_id, most)
    if (taken === 0) return
    let begun = 0
    try {
      const now = new Date()
      const leaseEnd = new Date(now.getTime() + this.options.timeoutMs + leaseMarginMs)
      for (const job of await this.options.queue.claim(due, taken, now, leaseEnd)) {
        this.run(job, webhook)
        begun += 1
      }
    } finally {
      this.places.giveBack(webhook.workspace_id, taken - begun)
    }
  }

  /** Its place is taken already. */
  private run(job: QueuedDelivery, webhook: Webhook): void {
    const done = inBackground(webhook.workspace_id, async () => this.options.attempt.run(job, webhook))
      // The lease brings it back.
      .catch((error: unknown) =>
        this.options.log.warn(
          { event: 'webhook.delivery_not_written', err: error, delivery: job.delivery_id },
          'delivery not kept',
        ),
      )
      .finally(() => {
        this.running.delete(done)
        this.places.giveBack(webhook.workspace_id)
        this.busy.leave(webhook.id)
        this.wake()
      })
    this.running.add(done)
    this.busy.enter(webhook.id)
  }
}

/** How many attempts are under way, by webhook. */
class Counter {
  private readonly counts = new Map<string, number>()

  of(name: string): number {
    return this.counts.get(name) ?? 0
  }

  enter(name: string): void {
    this.counts.set(name, this.of(name) + 1)
  }

  leave(name: string): void {
    if (this.of(name) > 1) this.counts.set(name, this.of(name) - 1)
    else this.counts.delete(name)
  }
}
