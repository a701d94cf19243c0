import type { AuditEntry } from '../../infrastructure/database/audit-entry.entity.js'
import {
  type ManagingActor,
  apiKey,
  endpoint,
  mayWrite,
  operator,
} from '../../infrastructure/http/endpoint.js'
import { maskedValue } from '../../infrastructure/http/masked-secrets.js'
import { listAnswer, listOf } from '../../infrastructure/http/lists.js'
import { AuditEntryShape, AuditQuery, OperatorAuditQuery } from './audit-log.schema.js'
import type { AuditLogService } from './audit-log.service.js'

export function auditLogEndpoints({ auditLog }: { auditLog: AuditLogService }) {
  const answer = async (workspaceId: string | undefined, query: AuditQuery, actor: ManagingActor) => {
    const found = await auditLog.list(workspaceId, query)
    const names = await auditLog.actorNames(found.rows)
    return listAnswer(query, found, (entry) => presentEntry(entry, names, actor))
  }
  return [
    endpoint({
      method: 'GET',
      path: '/audit-log',
      summary: 'List who changed what',
      tag: 'Workspace',
      auth: apiKey('any', ['owner']),
      query: AuditQuery,
      response: { 200: listOf(AuditEntryShape) },
      handler: async ({ workspace, actor, query }) => answer(workspace.id, query, actor),
    }),
    endpoint({
      method: 'GET',
      path: '/operator/audit-log',
      summary: 'List who changed what in all workspaces, and what the operator did outside of them',
      tag: 'Operator',
      auth: operator,
      query: OperatorAuditQuery,
      response: { 200: listOf(AuditEntryShape) },
      handler: async ({ actor, query }) => answer(query.workspace_id, query, actor),
    }),
  ]
}

function presentEntry(entry: AuditEntry, names: ReadonlyMap<string, string>, actor: ManagingActor) {
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
