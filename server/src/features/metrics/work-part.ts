/** What runs and waits on the whole platform, as the database has it: all servers report the same. */
import type { Registry } from 'prom-client'
import type { Work } from '../platform/status.schema.js'
import type { QuerySource } from './database-part.js'
import { Reading } from './instruments.js'
import type { MeasuredPart } from './part.js'

const directions = ['inbound', 'outbound'] as const
const states = ['created', 'ringing', 'started', 'active'] as const

interface MeasuredCell {
  readonly name: string
  readonly is_up: boolean
  readonly is_draining: boolean
  readonly live_calls: number
}

interface Looks {
  readonly work: () => Promise<Work>
  readonly cells: () => Promise<readonly MeasuredCell[]>
}

export function workPart(registry: Registry, database: QuerySource, looks: Looks): MeasuredPart {
  const define = <L extends string>(name: string, help: string, ...labels: L[]) =>
    new Reading(registry, 'now', { name, help, labels })
  const live = define('live_calls', 'Live calls, by direction and status', 'direction', 'status')
  const waiting = define(
    'queue_waiting',
    'Messages that wait for a carrier, and deliveries that wait for an attempt',
    'queue',
  )
  const age = define('queue_age_seconds', 'How long the most overdue entry of the queue is overdue', 'queue')
  const off = define('webhooks_switched_off', 'Webhooks that were switched off because they kept failing')
  const jobs = define('jobs_waiting', 'Jobs of the outbox that wait or run', 'kind')
  const failing = define('jobs_failing', 'Jobs of the outbox that have failed and are retried', 'kind')
  const jobAge = define('jobs_age_seconds', 'Age of the oldest job of the outbox', 'kind')
  const carriers = define('carriers', 'SMS carriers, by kind and state', 'kind', 'state')
  const registrations = define('registrations', 'Contacts of phones in the registrar’s table')
  const cellUp = define('cell_up', '1 while a live server drives the cell’s switch', 'cell')
  const cellDraining = define('cell_draining', '1 while the cell accepts no new calls', 'cell')
  const cellCalls = define('cell_live_calls', 'Live calls of the cell', 'cell')
  return {
    name: 'work',
    readings: [
      ...[live, waiting, age, off, jobs, failing, jobAge, carriers, registrations],
      ...[cellUp, cellDraining, cellCalls],
    ],
    async ask() {
      const [work, cells, rows] = await Promise.all([
        looks.work(),
        looks.cells(),
        database.source.query<{ direction: string; status: string; n: number | string }[]>(
          'SELECT direction, status, COUNT(*) AS n FROM calls WHERE live = 1 GROUP BY direction, status',
        ),
      ])
      const secondsTo = (at: string | null) => (at ? Math.max(0, Date.now() - Date.parse(at)) / 1000 : 0)
      return () => {
        for (const { name: cell, is_up, is_draining, live_calls } of cells) {
          cellUp.put(Number(is_up), { cell })
          cellDraining.put(Number(is_draining), { cell })
          cellCalls.put(live_calls, { cell })
        }
        for (const direction of directions) {
          for (const status of states) {
            const found = rows.find((row) => row.direction === direction && row.status === status)
            live.put(Number(found?.n ?? 0), { direction, status })
          }
        }
        for (const queue of ['messages', 'webhooks'] as const) {
          waiting.put(work[queue].waiting, { queue })
          age.put(secondsTo(work[queue].oldest_due_at), { queue })
        }
        off.put(work.webhooks.switched_off)
        for (const { kind, waiting: n, failing: failed, oldest_at } of work.jobs) {
          jobs.put(n, { kind })
          failing.put(failed, { kind })
          jobAge.put(secondsTo(oldest_at), { kind })
        }
        for (const { kind, state } of work.carriers) carriers.put(1, { kind, state })
        registrations.put(work.registrations)
      }
    },
  }
}
