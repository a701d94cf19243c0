/** Makes an event’s deliveries, in the transaction of the event. */
import type { EntityManager } from 'typeorm'
import type { EventSink, WorkspaceEvent } from '../../infrastructure/database/events.js'
import { newId } from '../../infrastructure/database/ids.js'
import { entityOf, insertRows } from '../../infrastructure/database/rows.js'
import type { KeptValues } from '../../lib/kept-values.js'
import type { RetrySchedule } from './retry-schedule.js'
import { QueuedDelivery, WebhookDelivery } from './webhook-delivery.entity.js'
import { Webhook } from './webhook.entity.js'
import { everyEvent } from './webhook-events.js'

/** What an event needs of a webhook. */
type Listening = Pick<Webhook, 'id' | 'workspace_id' | 'events'>

export class EventFanOut implements EventSink {
  /**
   * @param kept by workspace, forgotten when its webhooks change
   * @param wake called when a delivery was made; its transaction ends a little later
   */
  constructor(
    private readonly schedule: RetrySchedule,
    private readonly kept: Pick<KeptValues, 'get'>,
    private readonly wake: () => void,
  ) {}

  async record(tx: EntityManager, events: readonly WorkspaceEvent[]): Promise<void> {
    const recorded = events.filter((event) => !event.live_only)
    const [first] = recorded
    if (!first) return
    const { workspace_id: owner } = first
    // Each call has several events, and most workspaces the same few webhooks for weeks.
    const webhooks = await this.kept.get(owner, 'webhooks', async () => activeIn(tx, owner))
    const deliveries = recorded.flatMap((event) =>
      webhooks
        .filter((webhook) => webhook.events.includes(everyEvent) || webhook.events.includes(event.event))
        .map((webhook) => deliveryOf(webhook, event)),
    )
    await this.insert(tx, deliveries)
  }

  /** Makes a delivery to one webhook, whether it asked for the event or not. */
  async deliverTo(tx: EntityManager, event: WorkspaceEvent, webhook: Webhook): Promise<WebhookDelivery> {
    const delivery = deliveryOf(webhook, event)
    await this.insert(tx, [delivery])
    return delivery
  }

  private async insert(tx: EntityManager, deliveries: WebhookDelivery[]): Promise<void> {
    if (deliveries.length === 0) return
    await insertRows(tx, WebhookDelivery, deliveries)
    await insertRows(
      tx,
      QueuedDelivery,
      deliveries.map((delivery) => queued(delivery, this.schedule)),
    )
    this.wake()
  }
}

async function activeIn(tx: EntityManager, workspace_id: string): Promise<readonly Listening[]> {
  const rows = await tx.query<Record<string, unknown>[]>(
    'SELECT id, workspace_id, events FROM webhooks WHERE workspace_id = ? AND is_active = 1',
    [workspace_id],
  )
  return rows.map((row) => entityOf(tx, Webhook, row))
}

/** The queue's row for a delivery that is due at once. */
export function queued(
  { id, workspace_id, webhook_id }: Pick<WebhookDelivery, 'id' | 'workspace_id' | 'webhook_id'>,
  schedule: RetrySchedule,
): QueuedDelivery {
  const now = new Date()
  const give_up_at = schedule.giveUpAt(now)
  return { delivery_id: id, workspace_id, webhook_id, due_at: now, give_up_at, retries: 0, claim: null }
}

function bodyOf({ id, event, workspace_id, created_at, data }: WorkspaceEvent): string {
  return JSON.stringify({ id, event, workspace_id, created_at: created_at.toISOString(), data })
}

function deliveryOf(webhook: Pick<Webhook, 'id' | 'workspace_id'>, event: WorkspaceEvent): WebhookDelivery {
  const now = new Date()
  return {
    id: newId('whd'),
    workspace_id: webhook.workspace_id,
    webhook_id: webhook.id,
    event_id: event.id,
    event: event.event,
    body: bodyOf(event),
    status: 'pending',
    attempts: 0,
    attempted_at: null,
    next_attempt_at: now,
    duration_ms: null,
    response_status: null,
    response_body: null,
    error: null,
    attempt_log: null,
    created_at: now,
  }
}
