/** What runs and waits on the whole platform, as the database has it: every server tells the same. */
import type { Registry } from 'prom-client'
import type { Database } from '../database/database.js'
import type { Work } from '../operator/status.schema.js'
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

export function workPart(registry: Registry, database: Database, looks: Looks): MeasuredPart {
  const define = <L extends string>(name: string, help: string, ...labels: L[]) =>
    new Reading(registry, 'now', { name, help, labels })
  const live = define('live_calls', 'Calls that live, by direction and status', 'direction', 'status')
  const waiting = define(
    'queue_waiting',
    'What waits: messages for a carrier, webhooks for an attempt',
    'queue',
  )
  const age = define('queue_age_seconds', 'For how long the one is overdue that is overdue longest', 'queue')
  const off = define('webhooks_switched_off', 'Webhooks that were switched off since they kept failing')
  const jobs = define('jobs_waiting', 'Jobs of the outbox that are to be done, or are being done', 'kind')
  const failing = define('jobs_failing', 'Those of them that have been tried more than once', 'kind')
  const jobAge = define('jobs_age_seconds', 'Age of the oldest of them', 'kind')
  const carriers = define('carriers', 'SMS carriers, by kind and state', 'kind', 'state')
  const registrations = define('registrations', 'Contacts of phones that the registrar’s table holds')
  const cellUp = define('cell_up', '1 while a server drives the cell’s switch and is heard of', 'cell')
  const cellDraining = define('cell_draining', '1 while no call may begin in the cell', 'cell')
  const cellCalls = define('cell_live_calls', 'Calls that live in the cell', 'cell')
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
