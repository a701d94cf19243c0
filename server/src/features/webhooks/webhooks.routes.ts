import Type from 'typebox'
import { type ManagingActor, apiKey, endpoint, mayWrite } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf } from '../../infrastructure/http/lists.js'
import { maskedHeaders, maskedUrl } from '../../infrastructure/http/masked-secrets.js'
import { Id, idParams } from '../../infrastructure/http/shapes.js'
import type { Asking } from '../../infrastructure/resources/resource.js'
import { withTimes } from '../../infrastructure/resources/with-times.js'
import { headersOf } from './delivery-attempt.js'
import type { DeliveryService, LastDelivery } from './delivery.service.js'
import { secondsOf } from './webhook-secrets.js'
import type { WebhookDelivery } from './webhook-delivery.entity.js'
import type { Webhook } from './webhook.entity.js'
import {
  CreateWebhook,
  DeliveryDetailShape,
  DeliveryShape,
  NewWebhookShape,
  ResentShape,
  RotateSecret,
  deliveryQuery,
  excerptBytes,
} from './webhook.schema.js'
import { webhookResource } from './webhook.resource.js'
import type { WebhookService } from './webhook.service.js'

interface Services {
  webhooks: WebhookService
  deliveries: DeliveryService
}

const tag = 'Webhooks'
const read = apiKey('any')
const write = apiKey('full')
const deliveryParams = Type.Object({ id: Id(), delivery_id: Id() })
const noDelivery = 'No such webhook or delivery'
const switchedOff = 'The webhook is switched off'

export function webhookEndpoints({ webhooks, deliveries }: Services) {
  const presenter = {
    presenting: async (rows: readonly Webhook[], { workspace, actor }: Asking) => {
      const last = await deliveries.lastOf(workspace, rows)
      return (webhook: Webhook) =>
        presentWebhook(webhook, { last, headers: webhooks.headersOf(webhook) }, actor)
    },
  }
  const withSecret = async ({ webhook, secret }: { webhook: Webhook; secret: string }, asking: Asking) => {
    const present = await presenter.presenting([webhook], asking)
    return { ...present(webhook), secret }
  }

  return [
    ...webhookResource.endpoints(webhooks, presenter, {
      create: endpoint({
        method: 'POST',
        path: '/webhooks',
        summary: 'Create a webhook',
        description: 'The secret is in this answer and never shown again.',
        tag,
        auth: write,
        body: CreateWebhook,
        response: { 201: NewWebhookShape },
        errors: { 403: 'The workspace holds as many webhooks as it may, or insufficient permissions' },
        handler: async (context) => withSecret(await webhooks.make(context.workspace, context.body), context),
      }),
    }),
    endpoint({
      method: 'POST',
      path: '/webhooks/:id/rotate-secret',
      summary: 'Give a webhook a new secret',
      description:
        'The secret is in this answer and never shown again. What is sent from now on is signed with it, and for ' +
        '`previous_valid_for` seconds with the one before too, in webhook-signature and Jackfield-Previous-Signature.',
      tag,
      auth: write,
      params: idParams,
      body: RotateSecret,
      response: { 201: NewWebhookShape },
      errors: { 404: 'No such webhook' },
      handler: async (context) => {
        const { workspace, params, body } = context
        return withSecret(await webhooks.rotateSecret(workspace, params.id, body), context)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/webhooks/:id/test',
      summary: 'Send a webhook.test event to a webhook',
      tag,
      auth: write,
      params: idParams,
      response: { 201: DeliveryShape },
      errors: { 404: 'No such webhook', 409: switchedOff },
      handler: async ({ workspace, params }) => presentDelivery(await deliveries.test(workspace, params.id)),
    }),
    endpoint({
      method: 'POST',
      path: '/webhooks/:id/resend-failed',
      summary: 'Send all failed deliveries of a webhook again',
      tag,
      auth: write,
      params: idParams,
      response: { 200: ResentShape },
      errors: { 404: 'No such webhook', 409: switchedOff },
      handler: async ({ workspace, params }) => ({
        resent: await deliveries.resendFailed(workspace, params.id),
      }),
    }),
    endpoint({
      method: 'GET',
      path: '/webhooks/:id/deliveries',
      summary: 'List the deliveries of a webhook',
      tag,
      auth: read,
      params: idParams,
      query: deliveryQuery,
      response: { 200: listOf(DeliveryShape) },
      errors: { 404: 'No such webhook' },
      handler: async ({ workspace, params, query }) =>
        listAnswer(query, await deliveries.list(workspace, params.id, query), presentDelivery),
    }),
    endpoint({
      method: 'GET',
      path: '/webhooks/:id/deliveries/:delivery_id',
      summary: 'Show a delivery with what was sent and answered',
      tag,
      auth: read,
      params: deliveryParams,
      response: { 200: DeliveryDetailShape },
      errors: { 404: noDelivery },
      handler: async ({ workspace, actor, params }) => {
        const found = await deliveries.get(workspace, params.id, params.delivery_id)
        // The values may be others than those that were sent: everyone sees masks.
        return presentDetail(found, maskedHeaders(webhooks.headersOf(found.webhook)), actor)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/webhooks/:id/deliveries/:delivery_id/resend',
      summary: 'Send a delivery again',
      tag,
      auth: write,
      params: deliveryParams,
      response: { 200: DeliveryShape },
      errors: { 404: noDelivery, 409: switchedOff },
      handler: async ({ workspace, params }) =>
        presentDelivery((await deliveries.resend(workspace, params.id, params.delivery_id)).delivery),
    }),
  ]
}

/** No secret is among what is returned. */
function presentWebhook(
  { secret: _, previous_secret: __, ...webhook }: Webhook,
  { last: lastOf, headers }: { last: ReadonlyMap<string, LastDelivery>; headers: Record<string, string> },
  actor: ManagingActor,
) {
  const last = lastOf.get(webhook.id)
  return {
    ...withTimes(webhook),
    url: shownUrl(webhook, actor),
    headers: mayWrite(actor) ? headers : maskedHeaders(headers),
    previous_secret_until: currentUntil(webhook),
    failing_since: webhook.failing_since?.toISOString() ?? null,
    last_delivery: last
      ? { id: last.id, event: last.event, status: last.status, created_at: last.created_at.toISOString() }
      : null,
  }
}

/** Until when the secret before signs too; null when it signs no more. */
function currentUntil({
  previous_secret_until: until,
}: Pick<Webhook, 'previous_secret_until'>): string | null {
  return until && until > new Date() ? until.toISOString() : null
}

/** Readers see masks for credentials and values in the query. */
function shownUrl({ url }: Pick<Webhook, 'url'>, actor: ManagingActor): string {
  return mayWrite(actor) ? url : maskedUrl(url)
}

function presentDelivery(delivery: WebhookDelivery) {
  return {
    id: delivery.id,
    webhook_id: delivery.webhook_id,
    event_id: delivery.event_id,
    event: delivery.event,
    status: delivery.status,
    attempts: delivery.attempts,
    response_status: delivery.response_status,
    error: delivery.error,
    duration_ms: delivery.duration_ms,
    created_at: delivery.created_at.toISOString(),
    attempted_at: delivery.attempted_at?.toISOString() ?? null,
    next_attempt_at: delivery.next_attempt_at?.toISOString() ?? null,
  }
}

function presentDetail(
  { webhook, delivery }: { webhook: Webhook; delivery: WebhookDelivery },
  own: Record<string, string>,
  actor: ManagingActor,
) {
  const { response_status, response_body } = delivery
  const attempts = delivery.attempt_log ?? []
  const last = attempts.at(-1)
  const signed = last && { ...last, seconds: secondsOf(new Date(last.attempted_at)) }
  return {
    ...presentDelivery(delivery),
    request: {
      method: 'POST' as const,
      url: shownUrl(webhook, actor),
      headers: { ...own, ...headersOf(delivery, signed) },
      body: excerptOf(delivery.body),
    },
    response: response_status === null ? null : { status: response_status, body: response_body ?? '' },
    attempt_log: attempts.map(({ previous: _, standard: __, ...attempt }) => attempt),
  }
}

function excerptOf(text: string): string {
  return Buffer.from(text).subarray(0, excerptBytes).toString()
}
