import { type components, dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf, listSearchOf, wordOf } from '../../api/lists'

export type Alert = components['schemas']['Alert']
export type AlertKind = Alert['kind']

export const alertKinds: readonly AlertKind[] = [
  ...(['emergency_call', 'emergency_call_failed'] as const),
  ...(['calls_new_country', 'calls_burst', 'calls_short'] as const),
  ...(['calls_refused_concurrent', 'calls_refused_rate', 'calls_refused_country'] as const),
  ...(['calls_refused_spend', 'spend_per_hour_80', 'spend_per_hour_100'] as const),
  ...(['spend_per_day_80', 'spend_per_day_100', 'gateway_pending'] as const),
  'gateway_unreachable',
]

/** What the alert pages keep in their URLs. */
export interface AlertsSearch extends Pick<ListSearch, 'page' | 'limit' | 'order'> {
  kind?: AlertKind
  workspace?: string
}

export function alertsSearchOf(address: Record<string, unknown>): AlertsSearch {
  const { page, limit, order } = listSearchOf(address)
  const kind = wordOf(address['kind'], alertKinds)
  const { workspace } = address
  return {
    ...(page && { page }),
    ...(limit && { limit }),
    ...(order && { order }),
    ...(kind && { kind }),
    ...(typeof workspace === 'string' && workspace !== '' && { workspace }),
  }
}

/** Newest first by default. */
function queryOf({ kind, order = 'desc', ...search }: AlertsSearch) {
  const { page, limit } = listQueryOf(search, [])
  return { page, limit, sort_order: order, ...(kind && { kind }) }
}

export const alertsQuery = (search: AlertsSearch) =>
  queryOptions({
    queryKey: ['alerts', search],
    queryFn: async ({ signal }) => dataOf(api.GET('/alerts', { params: { query: queryOf(search) }, signal })),
    placeholderData: keepPreviousData,
  })

export const platformAlertsQuery = ({ workspace, ...search }: AlertsSearch) =>
  queryOptions({
    queryKey: ['platform', 'alerts', { workspace, ...search }],
    queryFn: async ({ signal }) => {
      const query = { ...queryOf(search), ...(workspace && { workspace_id: workspace }) }
      return dataOf(api.GET('/operator/alerts', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })
