/** What is done behind calls and requests: messages, webhooks, pushes, jobs. */
import type { Registry } from 'prom-client'
import { topics } from '../../infrastructure/observability/telemetry.js'
import { BoundedLabel } from './bounded-label.js'
import { counter, histogram, quick, slow } from './instruments.js'

/** Receipts of texts come within days. */
const deliverySeconds = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1_800, 7_200, 43_200, 259_200]

/** @returns ends the measuring */
export function workMetrics(registry: Registry): (() => void)[] {
  const messages = counter(registry, {
    name: 'messages_total',
    help: 'Messages that reached a status',
    labels: ['direction', 'status'],
  })
  const messageStages = histogram(
    registry,
    {
      name: 'message_stage_duration_seconds',
      help: 'Stages of a message: handed (accepted to taken by a carrier), delivered (taken to the receipt)',
      labels: ['stage'],
    },
    deliverySeconds,
  )
  const webhooks = histogram(
    registry,
    {
      name: 'webhook_attempt_duration_seconds',
      help: 'Attempts to deliver to a webhook, by the class of the answer’s status; none: no answer',
      labels: ['answer'],
    },
    slow,
  )
  const pushes = histogram(
    registry,
    {
      name: 'push_duration_seconds',
      help: 'Attempts to push, by the answer of the push service',
      labels: ['service', 'outcome'],
    },
    quick,
  )
  const jobs = histogram(
    registry,
    {
      name: 'job_duration_seconds',
      help: 'Runs of background jobs; a job that failed is retried',
      labels: ['kind', 'failed'],
    },
    slow,
  )
  const kinds = new BoundedLabel(/^[\w.-]{1,40}$/, 50)
  return [
    topics.message.subscribe(({ direction, status, createdAt, sentAt, at }) => {
      messages.inc({ direction, status })
      const since = status === 'sent' ? createdAt : status === 'delivered' ? sentAt : null
      if (since === null) return
      const stage = status === 'sent' ? 'handed' : 'delivered'
      messageStages.observe({ stage }, Math.max(0, at.getTime() - since.getTime()) / 1000)
    }),
    topics.webhookAttempt.subscribe(({ responseStatus, seconds }) => {
      const answer = responseStatus === null ? 'none' : `${Math.floor(responseStatus / 100)}xx`
      webhooks.observe({ answer }, seconds)
    }),
    topics.push.subscribe(({ service, outcome, seconds }) => pushes.observe({ service, outcome }, seconds)),
    topics.job.subscribe(({ kind, failed, seconds }) => {
      jobs.observe({ kind: kinds.of(kind), failed: String(failed) }, seconds)
    }),
  ]
}
