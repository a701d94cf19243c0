/** One attempt of a delivery, and what follows from its outcome. */
import { type EntityManager, IsNull } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { RequestFailedError } from '../../infrastructure/http-client/errors.js'
import type { GuardedClient, GuardedResponse } from '../../infrastructure/http-client/guarded-client.js'
import { retryAfterOf } from '../../infrastructure/http-client/retry-after.js'
import { shownText } from '../../infrastructure/http-client/shown-text.js'
import type { DeliveryQueue } from './delivery-queue.js'
import type { RetrySchedule } from './retry-schedule.js'
import { type LoggedAttempt, type QueuedDelivery, WebhookDelivery } from './webhook-delivery.entity.js'
import { topics } from '../../infrastructure/observability/telemetry.js'
import { shownTrace, tracingContexts } from '../../infrastructure/observability/tracing-contexts.js'
import { Webhook } from './webhook.entity.js'
import { type Signatures, secondsOf } from './webhook-secrets.js'
import { excerptBytes, loggedAttempts } from './webhook.schema.js'
import type { WebhookService } from './webhook.service.js'

interface Options {
  database: Database
  client: GuardedClient
  queue: DeliveryQueue
  schedule: RetrySchedule
  webhooks: WebhookService
  timeoutMs: number
  /** A webhook without a success for this time, in milliseconds, is disabled. */
  disableAfterMs: number
}

/** What an attempt came to; without an error it was a success. */
type Outcome = Pick<WebhookDelivery, 'response_status' | 'response_body' | 'error'> & {
  attempted_at: Date
  duration_ms: number
  signatures: Signatures
  /** For how long the server asks to be left alone, in milliseconds. */
  askedMs?: number | undefined
}

const gone = 410

/** Too Many Requests, Service Unavailable. */
const busy = new Set([429, 503])

export class DeliveryAttempt {
  constructor(private readonly options: Options) {}

  /** Posts the delivery and writes what came of it. @throws when that cannot be written */
  async run(job: QueuedDelivery, webhook: Webhook): Promise<void> {
    const { database, queue } = this.options
    const delivery = await database.platformTable(WebhookDelivery).findOneBy({ id: job.delivery_id })
    if (!delivery) {
      await database.transaction(async (tx) => queue.finish(tx, job))
      return
    }
    const { id: deliveryId, workspace_id: workspaceId, event, body } = delivery
    const outcome = await tracingContexts.webhook.run({ deliveryId, workspaceId, event, body }, async () => {
      const posted = await this.post(delivery, webhook)
      const { error, duration_ms, response_status: responseStatus } = posted
      topics.webhookAttempt.publish({
        delivered: error === null,
        responseStatus,
        seconds: duration_ms / 1000,
      })
      return posted
    })
    await database.transaction(async (tx) => {
      if (outcome.error === null) await this.succeeded(tx, job, webhook, delivery, outcome)
      else await this.failed(tx, job, webhook, delivery, outcome)
    })
  }

  private async post(delivery: WebhookDelivery, webhook: Webhook): Promise<Outcome> {
    const attempted_at = new Date()
    const { webhooks, timeoutMs } = this.options
    const sent = { id: delivery.event_id, body: delivery.body, at: attempted_at }
    const signatures = webhooks.signed(webhook, sent)
    const answered = await this.options.client
      .request({
        ...{ method: 'POST', url: webhook.url, owner: delivery.workspace_id },
        headers: {
          ...webhooks.headersOf(webhook),
          ...headersOf(delivery, { ...signatures, seconds: secondsOf(attempted_at) }),
          ...shownTrace(),
        },
        body: delivery.body,
        timeoutMs,
        maxResponseBytes: excerptBytes,
        tooLong: 'cut',
        // A receiver that answers 2xx has the event, whatever comes behind that.
        onlyStatus: true,
      })
      .catch((error: unknown) => {
        if (error instanceof RequestFailedError) return error
        throw error
      })
    const duration_ms = Date.now() - attempted_at.getTime()
    if (answered instanceof RequestFailedError) {
      return {
        attempted_at,
        duration_ms,
        signatures,
        response_status: null,
        response_body: null,
        error: answered.message.slice(0, 255),
      }
    }
    const { status } = answered
    const error = status >= 200 && status < 300 ? null : `the answer was ${status} instead of 2xx`
    const response_body = shownText(answered)
    const askedMs = askedPause(answered)
    return { attempted_at, duration_ms, signatures, response_status: status, response_body, error, askedMs }
  }

  private async succeeded(
    tx: EntityManager,
    job: QueuedDelivery,
    webhook: Webhook,
    delivery: WebhookDelivery,
    outcome: Outcome,
  ): Promise<void> {
    if (!(await this.options.queue.finish(tx, job))) return
    await this.write(tx, delivery, { ...outcome, status: 'delivered', next_attempt_at: null })
    if (webhook.failing_since) await tx.update(Webhook, webhook.id, { failing_since: null })
  }

  private async failed(
    tx: EntityManager,
    job: QueuedDelivery,
    webhook: Webhook,
    delivery: WebhookDelivery,
    outcome: Outcome,
  ): Promise<void> {
    const { queue, schedule, disableAfterMs } = this.options
    const now = new Date()
    const isGone = outcome.response_status === gone
    const next = isGone ? null : schedule.next(now, job, outcome.askedMs)
    const held = next ? await queue.postpone(tx, job, next) : await queue.finish(tx, job)
    if (!held) return
    await this.write(tx, delivery, { ...outcome, status: next ? 'pending' : 'failed', next_attempt_at: next })
    const failingSince = webhook.failing_since ?? now
    if (!webhook.failing_since) {
      await tx.update(Webhook, { id: webhook.id, failing_since: IsNull() }, { failing_since: now })
    }
    // Only with a delivery that is given up: a webhook with few events is retried as long as any other.
    const failedLong = !next && now.getTime() - failingSince.getTime() >= disableAfterMs
    if (isGone) await this.options.webhooks.disable(tx, webhook, 'Its server answered 410 Gone')
    else if (failedLong)
      await this.options.webhooks.disable(
        tx,
        webhook,
        `No delivery has succeeded since ${failingSince.toISOString()}`,
      )
  }

  private async write(
    tx: EntityManager,
    delivery: WebhookDelivery,
    { signatures, askedMs: _, ...changes }: Outcome & Pick<WebhookDelivery, 'status' | 'next_attempt_at'>,
  ): Promise<void> {
    const { attempted_at, duration_ms, response_status, error } = changes
    const attempt: LoggedAttempt = {
      attempted_at: attempted_at.toISOString(),
      ...{ duration_ms, response_status, error, ...signatures },
    }
    await tx.update(WebhookDelivery, delivery.id, {
      ...changes,
      attempts: delivery.attempts + 1,
      attempt_log: [...(delivery.attempt_log ?? []), attempt].slice(-loggedAttempts),
    })
  }
}

/** `Retry-After` of a server that is busy: of another status it would say something else (RFC 9110, 10.2.3). */
function askedPause({ status, headers }: GuardedResponse): number | undefined {
  return busy.has(status) ? retryAfterOf(headers['retry-after']) : undefined
}

/** What is sent with a delivery's body, beside the webhook's own headers; without signatures before the first attempt. */
export function headersOf(
  { event, id, event_id }: Pick<WebhookDelivery, 'event' | 'id' | 'event_id'>,
  signed?: Partial<Signatures> & { seconds: number },
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'jackfield-event': event,
    'jackfield-delivery': id,
    ...(signed?.signature && { 'jackfield-signature': signed.signature }),
    ...(signed?.previous && { 'jackfield-previous-signature': signed.previous }),
    // Standard Webhooks (https://www.standardwebhooks.com).
    'webhook-id': event_id,
    ...(signed?.standard && {
      'webhook-timestamp': String(signed.seconds),
      'webhook-signature': signed.standard,
    }),
  }
}
