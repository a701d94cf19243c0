/** The log of deliveries: what a customer can see of them, and send again. */
import { In } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { entityOf, insertRows } from '../../infrastructure/database/rows.js'
import { type Owner, WorkspaceTable } from '../../infrastructure/database/workspace-table.js'
import { conflict, notFound } from '../../infrastructure/http/errors.js'
import type { Page } from '../../infrastructure/http/lists.js'
import type { DeliveryQueue } from './delivery-queue.js'
import { type EventFanOut, queued } from './event-fan-out.js'
import type { RetrySchedule } from './retry-schedule.js'
import { QueuedDelivery, WebhookDelivery } from './webhook-delivery.entity.js'
import type { Webhook } from './webhook.entity.js'
import { testEvent } from './webhook-events.js'
import { type DeliveryQuery, mostResent } from './webhook.schema.js'
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

/** The newest delivery of a webhook, as the list of webhooks shows it. */
export type LastDelivery = Pick<WebhookDelivery, 'id' | 'event' | 'status' | 'created_at'>

/** Deliveries that are sent again in one transaction. */
const resentAtOnce = 500

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
    const { status, event, ...page } = query
    const where = { webhook_id: webhook.id, ...(status && { status }), ...(event && { event }) }
    return this.table.list(workspace, { ...page, where, columns: listedColumns })
  }

  /** The newest delivery of each webhook that has any, by the webhook's id. */
  async lastOf(workspace: Owner, webhooks: readonly Webhook[]): Promise<ReadonlyMap<string, LastDelivery>> {
    if (webhooks.length === 0) return new Map()
    const newest = `(SELECT id, webhook_id, event, status, created_at FROM webhook_deliveries
      WHERE workspace_id = ? AND webhook_id = ? ORDER BY created_at DESC, id DESC LIMIT 1)`
    const { manager } = this.options.database.source
    const rows = await manager.query<Record<string, unknown>[]>(
      webhooks.map(() => newest).join(' UNION ALL '),
      webhooks.flatMap(({ id }) => [workspace.id, id]),
    )
    const found = rows.map((row) => entityOf(manager, WebhookDelivery, row))
    return new Map(found.map((delivery) => [delivery.webhook_id, delivery]))
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

  /** Sends what failed again, oldest first. @returns how many, at most `mostResent` @throws 404, 409 switched off */
  async resendFailed(workspace: Owner, webhookId: string): Promise<number> {
    const webhook = await this.options.webhooks.get(workspace, webhookId)
    refuseInactive(webhook)
    let resent = 0
    while (resent < mostResent) {
      const count = await this.resendSome(workspace, webhook)
      resent += count
      if (count < resentAtOnce) break
    }
    this.options.wake()
    return resent
  }

  /** What failed is not in the queue; the lock keeps another request from putting it there meanwhile. */
  private async resendSome(workspace: Owner, webhook: Webhook): Promise<number> {
    const { database, schedule } = this.options
    return database.transaction(async (tx) => {
      const failed = await tx.find(WebhookDelivery, {
        select: { id: true, workspace_id: true, webhook_id: true },
        where: { workspace_id: workspace.id, webhook_id: webhook.id, status: 'failed' },
        order: { created_at: 'ASC', id: 'ASC' },
        take: resentAtOnce,
        lock: { mode: 'pessimistic_write' },
      })
      const rows = failed.map((delivery) => queued(delivery, schedule))
      const [first] = rows
      if (!first) return 0
      await insertRows(tx, QueuedDelivery, rows)
      const ids = rows.map(({ delivery_id }) => delivery_id)
      await tx.update(WebhookDelivery, { id: In(ids) }, { status: 'pending', next_attempt_at: first.due_at })
      return rows.length
    })
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
