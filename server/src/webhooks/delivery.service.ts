/** The log of deliveries: what a customer can see of them, and send again. */
import type { Database } from '../database/database.js'
import { newId } from '../database/ids.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import { conflict, notFound } from '../http/errors.js'
import type { Page } from '../http/lists.js'
import type { DeliveryQueue } from './delivery-queue.js'
import { type EventFanOut, queued } from './event-fan-out.js'
import type { RetrySchedule } from './retry-schedule.js'
import { WebhookDelivery } from './webhook-delivery.entity.js'
import type { Webhook } from './webhook.entity.js'
import { type DeliveryQuery, testEvent } from './webhook.schema.js'
import type { WebhookService } from './webhook.service.js'

interface Options {
  database: Database
  webhooks: WebhookService
  queue: DeliveryQueue
  fanOut: EventFanOut
  schedule: RetrySchedule
  wake: () => void
}

/** A delivery with the webhook that it is for. */
interface Addressed {
  webhook: Webhook
  delivery: WebhookDelivery
}

/** All but the texts of request and answer. */
const listedColumns = [
  ...([
    'id',
    'workspace_id',
    'webhook_id',
    'event_id',
    'event',
    'status',
    'attempts',
    'response_status',
  ] as const),
  ...(['error', 'duration_ms', 'created_at', 'attempted_at', 'next_attempt_at'] as const),
] as const

export class DeliveryService {
  private readonly table: WorkspaceTable<WebhookDelivery>

  constructor(private readonly options: Options) {
    this.table = new WorkspaceTable(options.database, WebhookDelivery)
  }

  /** @throws 404 unknown webhook */
  async list(workspace: Owner, webhookId: string, query: DeliveryQuery): Promise<Page<WebhookDelivery>> {
    const webhook = await this.options.webhooks.get(workspace, webhookId)
    const { status, ...page } = query
    const where = { webhook_id: webhook.id, ...(status && { status }) }
    return this.table.list(workspace, { ...page, where, columns: listedColumns })
  }

  /** @throws 404 */
  async get(workspace: Owner, webhookId: string, id: string): Promise<Addressed> {
    const webhook = await this.options.webhooks.get(workspace, webhookId)
    const delivery = await this.table.findBy(workspace, { webhook_id: webhook.id, id })
    if (!delivery) throw notFound(`Delivery ${id} not found`)
    return { webhook, delivery }
  }

  /** Sends a delivery again, at once and, if need be, for as long as a new one. @throws 404, 409 webhook switched off */
  async resend(workspace: Owner, webhookId: string, id: string): Promise<Addressed> {
    const { webhook, delivery } = await this.get(workspace, webhookId, id)
    refuseInactive(webhook)
    const { database, queue, schedule, wake } = this.options
    const row = queued(delivery, schedule)
    const changes = { status: 'pending', next_attempt_at: row.due_at } as const
    await database.transaction(async (tx) => {
      await queue.hurry(tx, row)
      await tx.update(WebhookDelivery, delivery.id, changes)
    })
    wake()
    return { webhook, delivery: { ...delivery, ...changes } }
  }

  /** Sends a `webhook.test` event. @throws 404, 409 webhook switched off */
  async test(workspace: Owner, webhookId: string): Promise<WebhookDelivery> {
    const webhook = await this.options.webhooks.get(workspace, webhookId)
    refuseInactive(webhook)
    const event = {
      id: newId('evt'),
      event: testEvent,
      workspace_id: workspace.id,
      created_at: new Date(),
      data: { webhook_id: webhook.id },
    }
    const { database, fanOut } = this.options
    return database.transaction(async (tx) => fanOut.deliverTo(tx, event, webhook))
  }
}

function refuseInactive(webhook: Webhook): void {
  if (!webhook.is_active) throw conflict('The webhook is switched off: set is_active first')
}
