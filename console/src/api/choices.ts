/** What fields that choose things of the API are told of them. */
import { type QueryKey, queryOptions } from '@tanstack/react-query'

export interface Choice {
  value: string
  label: string
}

/** Where choices come from. */
export interface ChoiceSource {
  /** Of the queries; a key that changes of these things make old. */
  key: QueryKey
  /** The first ones that match. @param search '' for all */
  list: (search: string, signal: AbortSignal) => Promise<Choice[]>
  /** One of them by its id. */
  one: (id: string, signal: AbortSignal) => Promise<Choice>
}

/** @param search '' for all */
export const choicesQuery = (source: ChoiceSource, search: string) =>
  queryOptions({
    queryKey: [...source.key, 'choices', search],
    queryFn: async ({ signal }) => source.list(search, signal),
    // What somebody has made a moment ago is to be chosen now.
    staleTime: 0,
  })

/** Rows that a source asks for. */
export const choicesLimit = 50
