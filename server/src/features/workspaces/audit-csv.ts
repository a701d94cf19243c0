/** The audit log as CSV, for auditors and for systems that gather logs. */
import type { CsvCell } from '../../infrastructure/http/csv.js'
import type { ShownEntry } from './audit-log.presenter.js'

/** Columns, in order. */
export const auditCells: Readonly<Record<string, (entry: ShownEntry) => CsvCell>> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  action: ({ action }) => action,
  target_type: ({ target }) => target.type,
  target_id: ({ target }) => target.id,
  target_name: ({ target }) => target.name,
  changes: ({ changes }) => JSON.stringify(changes),
  ip: ({ ip }) => ip,
  request_id: ({ request_id }) => request_id,
}
