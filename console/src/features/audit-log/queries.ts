import { type components, dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type DayRange, beginOf, dayRangeOf, endOf } from '../../api/days'
import { type ListSearch, defaultLimit, listSearchOf } from '../../api/lists'

export type AuditEntry = components['schemas']['AuditEntry']

/** Polling interval: the audit log is not streamed. */
export const askedEveryMs = 10_000

export interface AuditSearch extends Omit<ListSearch, 'search'>, DayRange {
  /** A kind of actor, or the id of an actor. */
  actor?: string
  /** A noun, or a noun and a verb: `agent`, `agent.update`. */
  action?: string
  /** Id of the changed object. */
  target?: string
  /** Source address of the request. */
  ip?: string
}

/** Parses the page's URL. */
export function auditSearchOf(search: Record<string, unknown>): AuditSearch {
  const { search: _, ...list } = listSearchOf(search)
  const texts = ['actor', 'action', 'target', 'ip'].flatMap((name) => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
  })
  return { ...list, ...dayRangeOf(search), ...Object.fromEntries(texts) }
}

/** Filters of the URL as API parameters, without page and order. */
export function auditFilterOf({ actor, action, target, ip, from, to }: AuditSearch) {
  return {
    ...(actor && { actor }),
    ...(action && { action }),
    ...(target && { target_id: target }),
    ...(ip && { ip }),
    ...(from && { from: beginOf(from) }),
    // The API's bound is exclusive.
    ...(to && { to: new Date(Date.parse(endOf(to)) + 1).toISOString() }),
  }
}

export const auditLogQuery = (search: AuditSearch) =>
  queryOptions({
    queryKey: ['audit-log', search],
    queryFn: async ({ signal }) => {
      const { page = 1, limit = defaultLimit, order = 'desc' } = search
      const query = { page, limit, sort_order: order, ...auditFilterOf(search) }
      return dataOf(api.GET('/audit-log', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })
