import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { listQueryOf } from '../../api/lists'
import { type AuditSearch, platformFilterOf } from './search'

export const platformAuditQuery = (search: AuditSearch) =>
  queryOptions({
    queryKey: ['platform', 'audit-log', search],
    queryFn: async ({ signal }) => {
      const { page, limit } = listQueryOf(search, [])
      // Newest first by default.
      const query = { page, limit, sort_order: search.order ?? 'desc', ...platformFilterOf(search) }
      return dataOf(api.GET('/operator/audit-log', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })
