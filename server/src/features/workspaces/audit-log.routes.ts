import { byCreation, exportEndpoint } from '../../infrastructure/csv/csv-endpoints.js'
import { type ManagingActor, apiKey, endpoint, operator } from '../../infrastructure/http/endpoint.js'
import { type Page, listAnswer, listOf } from '../../infrastructure/http/lists.js'
import { auditCells } from './audit-csv.js'
import { type ShownEntry, presentEntry } from './audit-log.presenter.js'
import { AuditEntryShape, AuditQuery, OperatorAuditQuery } from './audit-log.schema.js'
import type { AuditLogService } from './audit-log.service.js'

const tag = 'Workspace'

export function auditLogEndpoints({ auditLog }: { auditLog: AuditLogService }) {
  const page = async (
    workspaceId: string | undefined,
    query: AuditQuery,
    actor: ManagingActor,
  ): Promise<Page<ShownEntry>> => {
    const { rows, total } = await auditLog.list(workspaceId, query)
    const names = await auditLog.actorNames(rows)
    return { rows: rows.map((entry) => presentEntry(entry, names, actor)), total }
  }
  const answer = async (workspaceId: string | undefined, query: AuditQuery, actor: ManagingActor) =>
    listAnswer(query, await page(workspaceId, query, actor), (entry) => entry)
  return [
    endpoint({
      method: 'GET',
      path: '/audit-log',
      summary: 'List who changed what',
      tag,
      auth: apiKey('any', ['owner']),
      query: AuditQuery,
      response: { 200: listOf(AuditEntryShape) },
      handler: async ({ workspace, actor, query }) => answer(workspace.id, query, actor),
    }),
    exportEndpoint({
      ...{ path: '/audit-log', tag, plural: 'entries of the audit log', audited: 'audit_log' },
      ...{ query: AuditQuery, cells: auditCells, roles: ['owner'], isRecord: true },
      cursorOf: byCreation,
      list: async (workspace, query, actor) => page(workspace.id, query, actor),
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
