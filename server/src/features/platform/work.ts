/** What runs and what waits on the whole platform, as the database has it. Nothing is counted without an end. */
import type { Database } from '../../infrastructure/database/database.js'
import { type CarrierStatuses, unheld } from '../messages/carriers/carrier-status.js'
import type { CarrierService } from '../messages/carriers/carrier.service.js'
import { type CarrierLine, type Work, maxCounted } from './status.schema.js'

interface Parts {
  readonly database: Database
  readonly carriers: CarrierService
  readonly carrierStatuses: CarrierStatuses
}

const newest = { page: 1, limit: 100, sort_field: 'created_at', sort_order: 'desc' } as const

interface Queue {
  n: number | string
  oldest_due_at: Date | null
}

export class OperatorWork {
  constructor(private readonly parts: Parts) {}

  /** @throws when the database does not answer */
  async look(): Promise<Work> {
    const [live, registered, messages, webhooks, off, jobs, carriers] = await Promise.all([
      this.one<{ n: number | string }>('SELECT COALESCE(SUM(live_calls), 0) AS n FROM live_call_counts'),
      this.one<{ contacts: number | string; accounts: number | string }>(
        `SELECT COUNT(*) AS contacts, COUNT(DISTINCT username, domain) AS accounts
         FROM (SELECT username, domain FROM location WHERE expires > UNIX_TIMESTAMP() LIMIT ?) counted`,
        [maxCounted],
      ),
      this.queue('message_queue'),
      this.queue('webhook_queue'),
      this.one<{ n: number | string }>(
        'SELECT COUNT(*) AS n FROM webhooks WHERE disabled_reason IS NOT NULL AND is_active = 0',
      ),
      this.jobs(),
      this.carriers(),
    ])
    return {
      live_calls: Number(live.n),
      registrations: Number(registered.contacts),
      registered_accounts: Number(registered.accounts),
      messages: waitingIn(messages),
      webhooks: { ...waitingIn(webhooks), switched_off: Number(off.n) },
      jobs,
      carriers,
    }
  }

  private async queue(table: 'message_queue' | 'webhook_queue'): Promise<Queue> {
    return this.one<Queue>(
      `SELECT COUNT(*) AS n, MIN(CASE WHEN due_at <= UTC_TIMESTAMP(3) THEN due_at END) AS oldest_due_at
       FROM (SELECT due_at FROM ${table} LIMIT ?) counted`,
      [maxCounted],
    )
  }

  private async jobs(): Promise<Work['jobs']> {
    const rows = await this.parts.database.source.query<
      { kind: string; waiting: number | string; failing: number | string; oldest_at: Date }[]
    >(
      `SELECT kind, COUNT(*) AS waiting, SUM(attempts > 1) AS failing, MIN(created_at) AS oldest_at
       FROM (SELECT kind, attempts, created_at FROM outbox LIMIT ?) counted GROUP BY kind ORDER BY kind`,
      [maxCounted],
    )
    return rows.map(({ kind, waiting, failing, oldest_at }) => ({
      ...{ kind, waiting: Number(waiting), failing: Number(failing) },
      oldest_at: oldest_at.toISOString(),
    }))
  }

  private async carriers(): Promise<CarrierLine[]> {
    const { database, carriers, carrierStatuses } = this.parts
    const { rows } = await carriers.list(newest)
    const [held, counts] = await Promise.all([
      carrierStatuses.linksOf(rows),
      database.source.query<{ carrier_id: string | null; n: number | string }[]>(
        `SELECT carrier_id, COUNT(*) AS n FROM (SELECT carrier_id FROM message_queue LIMIT ?) counted
         GROUP BY carrier_id`,
        [maxCounted],
      ),
    ])
    const waiting = new Map(counts.map(({ carrier_id, n }) => [carrier_id, Number(n)]))
    return rows.map((carrier) => {
      const { state, since, last_error } = held.get(carrier.id) ?? unheld(carrier)
      const { id, title, kind } = carrier
      return { id, title, kind, state, since, last_error, waiting: waiting.get(id) ?? 0 }
    })
  }

  private async one<T>(sql: string, values: readonly unknown[] = []): Promise<T> {
    const [row] = await this.parts.database.source.query<T[]>(sql, [...values])
    return row as T
  }
}

function waitingIn({ n, oldest_due_at }: Queue) {
  return { waiting: Number(n), oldest_due_at: oldest_due_at?.toISOString() ?? null }
}
