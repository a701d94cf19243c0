/** The feature of webhooks, wired. */
import type { Logger } from 'pino'
import type { Database } from '../../infrastructure/database/database.js'
import type { EventSink } from '../../infrastructure/database/events.js'
import type { SecretBox } from '../../infrastructure/database/secrets.js'
import type { GuardedClient } from '../../infrastructure/http-client/guarded-client.js'
import type { KeptValues } from '../../lib/kept-values.js'
import { DeliveryAttempt } from './delivery-attempt.js'
import { DeliveryQueue } from './delivery-queue.js'
import { DeliveryService } from './delivery.service.js'
import { DeliveryWorker } from './delivery-worker.js'
import { EventFanOut } from './event-fan-out.js'
import { RetrySchedule } from './retry-schedule.js'
import { WebhookService } from './webhook.service.js'

interface Options {
  database: Database
  secrets: SecretBox
  client: GuardedClient
  log: Logger
  /** In seconds. */
  settings: {
    timeout: number
    first_retry: number
    longest_pause: number
    retry_for: number
    disable_after: number
  }
  /** Webhooks of a workspace, at most. */
  limit: number
  /** Values of a workspace, forgotten when its webhooks change. */
  kept: Pick<KeptValues, 'get'>
}

export class Webhooks {
  readonly service: WebhookService
  readonly deliveries: DeliveryService
  readonly events: EventSink
  readonly worker: DeliveryWorker

  constructor(options: Options) {
    const { settings, ...parts } = options
    const wake = () => this.worker.wake()
    const timeoutMs = settings.timeout * 1000
    const queue = new DeliveryQueue(options.database)
    const schedule = new RetrySchedule(settings)
    const webhooks = new WebhookService(parts)
    const fanOut = new EventFanOut(schedule, options.kept, wake)
    const disableAfterMs = settings.disable_after * 1000
    const attempt = new DeliveryAttempt({ ...parts, queue, schedule, webhooks, timeoutMs, disableAfterMs })
    this.service = webhooks
    this.events = fanOut
    this.deliveries = new DeliveryService({ ...parts, webhooks, queue, fanOut, schedule, wake })
    this.worker = new DeliveryWorker({ ...parts, queue, attempt, webhooks, timeoutMs })
  }
}
