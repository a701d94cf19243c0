/** Who and what can be called, or take a call over: what the API finds, in groups for a list. */
import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { queryClient } from '../../api/query-client'

export type Destination = components['schemas']['Destination']

export const destinationsQuery = (search: string) =>
  queryOptions({
    queryKey: ['destinations', search],
    queryFn: async ({ signal }) => {
      const params = { query: search ? { search } : {} }
      return (await dataOf(api.GET('/call-center/destinations', { params, signal }))).data
    },
    // States change: what was found is asked for again when it is looked for again.
    staleTime: 3_000,
  })

export interface DestinationGroup {
  readonly kind: Destination['kind']
  readonly found: readonly Destination[]
}

/** The kinds in the order in which the API has them: that of an exact match comes first. */
export function groupsOf(found: readonly Destination[]): DestinationGroup[] {
  const kinds = [...new Set(found.map(({ kind }) => kind))]
  return kinds.map((kind) => ({ kind, found: found.filter((one) => one.kind === kind) }))
}

/** A value that names a destination among all that were found. */
export function keyOf({ kind, target, id }: Destination): string {
  return `${kind} ${id ?? ''} ${target}`
}

/** What a text names that was typed and not chosen; undefined if nothing, or no single destination, is called so. */
export async function destinationNamed(text: string): Promise<Destination | undefined> {
  // Without the list the API still finds usernames, extensions and numbers.
  const found = await queryClient.query(destinationsQuery(text.trim())).catch(() => [])
  return namedBy(text, found)
}

/** The only destination that is called exactly so. */
export function namedBy(text: string, found: readonly Destination[]): Destination | undefined {
  const wanted = folded(text)
  if (wanted === '') return undefined
  const exact = found.filter(({ name, target, username, extension, number }) =>
    [name, target, username, extension, number].some((one) => one && folded(one) === wanted),
  )
  return exact.length === 1 ? exact[0] : undefined
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().trim()
}
