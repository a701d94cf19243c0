import type { AuditEntry } from '../database/audit-entry.entity.js'
import { apiKey, endpoint, operator } from '../http/endpoint.js'
import { listAnswer, listOf } from '../http/lists.js'
import { AuditEntryShape, AuditQuery, OperatorAuditQuery } from './audit-log.schema.js'
import type { AuditLogService } from './audit-log.service.js'

export function auditLogEndpoints({ auditLog }: { auditLog: AuditLogService }) {
  return [
    endpoint({
      method: 'GET',
      path: '/audit-log',
      summary: 'List who changed what',
      tag: 'Workspace',
      auth: apiKey('any', ['owner']),
      query: AuditQuery,
      response: { 200: listOf(AuditEntryShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await auditLog.list(workspace.id, query), presentEntry),
    }),
    endpoint({
      method: 'GET',
      path: '/operator/audit-log',
      summary: 'List who changed what in all workspaces, and what the operator did outside of them',
      tag: 'Operator',
      auth: operator,
      query: OperatorAuditQuery,
      response: { 200: listOf(AuditEntryShape) },
      handler: async ({ query }) =>
        listAnswer(query, await auditLog.list(query.workspace_id, query), presentEntry),
    }),
  ]
}

function presentEntry(entry: AuditEntry) {
  return {
    id: entry.id,
    workspace_id: entry.workspace_id,
    actor: { kind: entry.actor_kind, id: entry.actor_id },
    action: entry.action,
    target: { type: entry.target_type, id: entry.target_id, name: entry.target_name },
    changes: entry.changes,
    ip: entry.ip,
    request_id: entry.request_id,
    created_at: entry.created_at.toISOString(),
  }
}
