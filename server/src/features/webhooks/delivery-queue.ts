/**
 * The queue of deliveries. Workers of several servers claim from it with SKIP LOCKED, under a lease:
 * what a dead worker held is claimed again when its lease ends. It is ordered by webhook, so that
 * a long queue of one is never read to find the next delivery of another.
 */
import { randomBytes } from 'node:crypto'
import { type EntityManager, In, LessThanOrEqual } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { QueuedDelivery } from './webhook-delivery.entity.js'

/** A webhook that has deliveries due. */
export interface DueWebhook {
  workspace_id: string
  webhook_id: string
}

export class DeliveryQueue {
  constructor(private readonly database: Database) {}

  /** Webhooks with deliveries due, those that wait longest first; one step of the index for each webhook. */
  async due(now: Date): Promise<DueWebhook[]> {
    const rows = await this.database
      .platformTable(QueuedDelivery)
      .createQueryBuilder('row')
      .select('row.workspace_id', 'workspace_id')
      .addSelect('row.webhook_id', 'webhook_id')
      .addSelect('MIN(row.due_at)', 'due_at')
      .groupBy('row.workspace_id')
      .addGroupBy('row.webhook_id')
      .getRawMany<DueWebhook & { due_at: Date }>()
    return rows
      .filter(({ due_at }) => due_at <= now)
      .sort((one, other) => Number(one.due_at) - Number(other.due_at))
  }

  /** Claims up to `limit` due deliveries of a webhook until `leaseEnd`. */
  async claim(webhook: DueWebhook, limit: number, now: Date, leaseEnd: Date): Promise<QueuedDelivery[]> {
    return this.database.transaction(async (tx) => {
      const rows = await tx.find(QueuedDelivery, {
        where: {
          workspace_id: webhook.workspace_id,
          webhook_id: webhook.webhook_id,
          due_at: LessThanOrEqual(now),
        },
        order: { due_at: 'ASC' },
        take: limit,
        lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
      })
      if (rows.length === 0) return []
      const claim = randomBytes(16).toString('hex')
      const ids = rows.map(({ delivery_id }) => delivery_id)
      await tx.update(QueuedDelivery, { delivery_id: In(ids) }, { due_at: leaseEnd, claim })
      return rows.map((row) => ({ ...row, claim }))
    })
  }

  /** Takes a delivery off the queue. @returns whether the claim still held */
  async finish(tx: EntityManager, { delivery_id, claim }: QueuedDelivery): Promise<boolean> {
    const { affected } = await tx.delete(QueuedDelivery, { delivery_id, claim: claim ?? '' })
    return Boolean(affected)
  }

  /** Puts a delivery back for its next attempt. @returns whether the claim still held */
  async postpone(
    tx: EntityManager,
    { delivery_id, claim, retries }: QueuedDelivery,
    due_at: Date,
  ): Promise<boolean> {
    const { affected } = await tx.update(
      QueuedDelivery,
      { delivery_id, claim: claim ?? '' },
      { due_at, retries: retries + 1, claim: null },
    )
    return Boolean(affected)
  }

  /** Moves a delivery to the front; one that is being attempted at this moment stays as it is. */
  async hurry(tx: EntityManager, row: QueuedDelivery): Promise<void> {
    const waiting = await tx.findOne(QueuedDelivery, {
      where: { delivery_id: row.delivery_id },
      lock: { mode: 'pessimistic_write' },
    })
    if (!waiting) await tx.insert(QueuedDelivery, row)
    else if (waiting.claim === null || waiting.due_at <= row.due_at)
      await tx.update(QueuedDelivery, row.delivery_id, row)
  }
}
