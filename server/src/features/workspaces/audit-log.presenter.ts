/** Entries of the audit log as the API shows them. */
import type { AuditEntry } from '../../infrastructure/database/audit-entry.entity.js'
import { type ManagingActor, mayWrite } from '../../infrastructure/http/endpoint.js'
import { maskedValue } from '../../infrastructure/http/masked-secrets.js'

export type ShownEntry = ReturnType<typeof presentEntry>

/** @param names of actors by id @param actor who asks: read-only keys see no secrets */
export function presentEntry(entry: AuditEntry, names: ReadonlyMap<string, string>, actor: ManagingActor) {
  const { actor_kind, actor_id } = entry
  const name = actor_kind === 'client' ? null : names.get(actor_id ?? '') || null
  return {
    id: entry.id,
    workspace_id: entry.workspace_id,
    actor: { kind: actor_kind, id: actor_id, name },
    action: entry.action,
    target: { type: entry.target_type, id: entry.target_id, name: entry.target_name },
    changes: mayWrite(actor) ? entry.changes : (maskedValue(entry.changes) as AuditEntry['changes']),
    ip: entry.ip,
    request_id: entry.request_id,
    created_at: entry.created_at.toISOString(),
  }
}
