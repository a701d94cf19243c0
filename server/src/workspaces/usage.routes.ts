import { apiKey, endpoint } from '../http/endpoint.js'
import { UsageQuery, UsageShape } from './usage.schema.js'
import type { UsageService } from './usage.service.js'

export function usageEndpoints({ usage }: { usage: UsageService }) {
  return [
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
