/** Rows that are deleted go from their lists at once, and come back when the API refuses. */
import type { QueryKey } from '@tanstack/react-query'
import type { ListAnswer } from './lists'
import { queryClient } from './query-client'

export interface DeletedRow {
  /** Of the queries whose lists have the row, and are old without it. */
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

/** @throws what `run` throws, with the row back in its place */
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
