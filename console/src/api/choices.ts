/** Sources of options for pickers. */
import { type QueryKey, queryOptions } from '@tanstack/react-query'

export interface Choice {
  value: string
  label: string
}

/** Source of a picker's options. */
export interface ChoiceSource {
  /** Query key; a mutation that changes these rows invalidates it. */
  key: QueryKey
  /** First matching rows. @param search '' for all */
  list: (search: string, signal: AbortSignal) => Promise<Choice[]>
  /** One of them by its id. */
  one: (id: string, signal: AbortSignal) => Promise<Choice>
}

/** @param search '' for all */
export const choicesQuery = (source: ChoiceSource, search: string) =>
  queryOptions({
    queryKey: [...source.key, 'choices', search],
    queryFn: async ({ signal }) => source.list(search, signal),
    // A row that was just created must be selectable at once.
    staleTime: 0,
  })

/** Reads rows from the API. */
export const choicesLimit = 50

/** In place of an id: none. The API's filters take it as rows that have none. */
export const none = 'none'

/** A source that has none as its first choice. */
export function orNone(source: ChoiceSource, label: string): ChoiceSource {
  const without = { value: none, label }
  return {
    key: [...source.key, label],
    list: async (search, signal) => [
      ...(search === '' ? [without] : []),
      ...(await source.list(search, signal)),
    ],
    one: async (id, signal) => (id === none ? without : source.one(id, signal)),
  }
}
