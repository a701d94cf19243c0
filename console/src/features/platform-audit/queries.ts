import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type AuditSearch, auditQueryOf } from './search'

export type AuditEntry = components['schemas']['AuditEntry']

export const platformAuditQuery = (search: AuditSearch) =>
  queryOptions({
    queryKey: ['platform', 'audit-log', search],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/operator/audit-log', { params: { query: auditQueryOf(search) }, signal })),
    placeholderData: keepPreviousData,
  })
