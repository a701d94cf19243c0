import { type components, dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf, listSearchOf, wordOf } from '../../api/lists'

export type Gateway = components['schemas']['OutboundGateway']

export const gatewayStates = ['pending_approval', 'active'] as const satisfies readonly Gateway['state'][]

export const platformGatewaysKey = ['platform', 'gateways'] as const

/** What the page keeps in its URL. */
export interface GatewaysSearch extends ListSearch {
  state?: Gateway['state']
  workspace?: string
}

export function gatewaysSearchOf(address: Record<string, unknown>): GatewaysSearch {
  const state = wordOf(address['state'], gatewayStates)
  const { workspace } = address
  return {
    ...listSearchOf(address),
    ...(state && { state }),
    ...(typeof workspace === 'string' && workspace !== '' && { workspace }),
  }
}

export const platformGatewaysQuery = ({ state, workspace, ...search }: GatewaysSearch) =>
  queryOptions({
    queryKey: [...platformGatewaysKey, { state, workspace, ...search }],
    queryFn: async ({ signal }) => {
      const query = {
        ...listQueryOf(search, ['created_at', 'title']),
        ...(state && { state }),
        ...(workspace && { workspace_id: workspace }),
      }
      return dataOf(api.GET('/operator/gateways', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })
