import Type from 'typebox'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { RawAnswer, apiKey, endpoint, operator } from '../../infrastructure/http/endpoint.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import type { UsageExport } from './usage-export.js'
import { ExportQuery, UsageQuery, UsageShape } from './usage.schema.js'
import type { UsageService } from './usage.service.js'
import type { WorkspaceService } from './workspace.service.js'

interface Services {
  usage: UsageService
  usageExport: UsageExport
  workspaces: WorkspaceService
}

const exported = {
  description:
    'What was charged: a line for each day, kind and prefix of a rate, in this order. Days are those of UTC; a call counts where it began, when it has ended: a day is final when its last call has ended and its last message is sent or given up.',
  tier: 'heavy',
  query: ExportQuery,
  response: { 200: Type.String({ format: 'binary', contentMediaType: 'text/plain' }) },
} as const

export function usageEndpoints({ usage, usageExport, workspaces }: Services) {
  const answer = (workspace: Owner | null, query: ExportQuery) =>
    new RawAnswer(
      // One type for both forms; the file's name says which it is.
      'text/plain; charset=utf-8',
      usageExport.of(workspace, query),
      {
        'Content-Disposition': `attachment; filename="usage${workspace ? `-${workspace.id}` : ''}.${query.format}"`,
        'Cache-Control': 'no-store',
      },
    )
  return [
    endpoint({
      ...{ method: 'GET', path: '/usage/export', ...exported, audited: 'usage.export' },
      summary: 'Download rated usage',
      tag: 'Workspace',
      auth: apiKey('any', ['owner']),
      handler: ({ workspace, query }) => answer(workspace, query),
    }),
    endpoint({
      ...{ method: 'GET', path: '/operator/usage/export', ...exported, audited: 'usage.export' },
      summary: 'Download the rated usage of all workspaces',
      tag: 'Operator',
      auth: operator,
      handler: ({ query }) => answer(null, query),
    }),
    endpoint({
      ...{ method: 'GET', path: '/workspaces/:id/usage/export', ...exported, audited: 'usage.export' },
      summary: 'Download the rated usage of a workspace',
      tag: 'Operator',
      auth: operator,
      params: idParams,
      errors: { 404: 'No such workspace' },
      handler: async ({ params, query }) => answer(await workspaces.get(params.id), query),
    }),
    endpoint({
      method: 'GET',
      path: '/usage',
      summary: 'Add up calls and messages by day or month',
      description:
        'Days and months are those of UTC; a call or message counts where it began. At most 366 days.',
      tag: 'Workspace',
      auth: apiKey('any'),
      tier: 'heavy',
      query: UsageQuery,
      response: { 200: UsageShape },
      handler: async ({ workspace, query }) => usage.of(workspace, query),
    }),
  ]
}
