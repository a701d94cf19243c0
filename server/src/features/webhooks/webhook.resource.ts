/** Webhooks, as the API has them. */
import { listQuery } from '../../infrastructure/http/lists.js'
import { resource } from '../../infrastructure/resources/resource.js'
import { Webhook } from './webhook.entity.js'
import { UpdateWebhook, WebhookShape } from './webhook.schema.js'

/** Columns that the audit log does not show. */
export const hidden = ['secret', 'previous_secret', 'headers'] as const

/** To create one is an endpoint of its own, whose answer has the secret. */
export const webhookResource = resource({
  ...{ path: '/webhooks', noun: 'webhook', tag: 'Webhooks' },
  ...{ id: 'wh', table: Webhook, search: ['title', 'url'], hidden },
  shape: WebhookShape,
  list: { query: listQuery({ limit: 20, sort: ['created_at', 'title'], search: 'Looks at title and URL' }) },
  show: {},
  update: { body: UpdateWebhook, summary: 'Change a webhook, or switch it on or off' },
  delete: { summary: 'Delete a webhook with the log of its deliveries' },
})
