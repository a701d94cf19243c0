/** Optimistic deletion: rows disappear from their lists at once and come back if the API refuses. */
import type { QueryKey } from '@tanstack/react-query'
import type { ListAnswer } from './lists'
import { queryClient } from './query-client'

export interface DeletedRow {
  /** Keys of the queries that list the row; invalidated afterwards. */
  from: QueryKey
  id: string
}

type Rows = ListAnswer<{ id?: string; sid?: string }>

function isList(cached: unknown): cached is Rows {
  const { data, meta } = (cached ?? {}) as Partial<Rows>
  return Array.isArray(data) && meta !== undefined
}

function without(cached: unknown, id: string): unknown {
  if (!isList(cached)) return cached
  const data = cached.data.filter((row) => (row.sid ?? row.id) !== id)
  if (data.length === cached.data.length) return cached
  return { ...cached, data, meta: { ...cached.meta, total: cached.meta.total - 1 } }
}

/** @throws what `run` throws, after restoring the row */
export async function deleteRow({ from, id }: DeletedRow, run: () => Promise<unknown>): Promise<void> {
  await queryClient.cancelQueries({ queryKey: from })
  const before = queryClient.getQueriesData({ queryKey: from })
  for (const [key, cached] of before) queryClient.setQueryData(key, without(cached, id))
  try {
    await run()
  } catch (error) {
    for (const [key, cached] of before) queryClient.setQueryData(key, cached)
    throw error
  } finally {
    void queryClient.invalidateQueries({ queryKey: from })
  }
}
