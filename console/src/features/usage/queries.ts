import { type components, dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type DayRange, dayRangeOf } from '../../api/days'
import { type ListSearch, listSearchOf, wordOf } from '../../api/lists'

export type Usage = components['schemas']['Usage']
export type UsageRow = Usage['data'][number]

export interface UsageSearch extends DayRange, Pick<ListSearch, 'page' | 'limit'> {
  by?: Usage['group_by']
}

/** Parses the page's URL. */
export function usageSearchOf(search: Record<string, unknown>): UsageSearch {
  const { page, limit } = listSearchOf(search)
  const by = wordOf(search['by'], ['day', 'month'] as const)
  return { ...dayRangeOf(search), ...(by && { by }), ...(page && { page }), ...(limit && { limit }) }
}

/** All days or months at once: pagination happens in the browser. */
export const usageQuery = ({ from, to, by = 'day' }: Omit<UsageSearch, 'page' | 'limit'>) =>
  queryOptions({
    queryKey: ['usage', { from, to, by }],
    queryFn: async ({ signal }) => {
      const query = { ...(from && { from }), ...(to && { to }), group_by: by }
      return dataOf(api.GET('/usage', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })
