/** Mutations: invalidate the queries that they make stale, and report errors. */
import { notifications } from '@mantine/notifications'
import { type QueryKey, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { common } from '../i18n/common'
import { textOf } from '../i18n/texts'
import { messageOf } from './errors'

export interface ActionOptions<Input, Answer> {
  run: (input: Input) => Promise<Answer>
  /** Keys of the queries that become stale. */
  changes?: readonly QueryKey[]
  /** Shown on success. */
  done?: string | ((answer: Answer, input: Input) => string)
  onDone?: (answer: Answer, input: Input) => void
  /** Optimistic update of each cached response; rolled back on failure. */
  optimistic?: { key: QueryKey; change: (cached: never, input: Input) => unknown }
  /** Words for an error in place of the API's; undefined: the API's. */
  explain?: (error: unknown) => string | undefined
  /** The caller shows errors itself. */
  quiet?: boolean
}

/** A mutation that a button starts. Errors become notifications, unless the caller shows them. */
export function useAction<Input = void, Answer = unknown>(
  options: ActionOptions<Input, Answer>,
): UseMutationResult<Answer, unknown, Input, (() => void) | undefined> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: options.run,
    onMutate: async (input: Input) => {
      const { optimistic } = options
      if (!optimistic) return undefined
      await client.cancelQueries({ queryKey: optimistic.key })
      const before = client.getQueriesData({ queryKey: optimistic.key })
      for (const [key, cached] of before) {
        if (cached !== undefined) client.setQueryData(key, optimistic.change(cached as never, input))
      }
      return () => {
        for (const [key, cached] of before) client.setQueryData(key, cached)
      }
    },
    onError: (error, _input, takeBack) => {
      takeBack?.()
      if (!options.quiet) complain(error, options.explain?.(error) ?? messageOf(error))
    },
    onSuccess: (answer, input) => {
      const { done } = options
      if (done)
        notifications.show({
          message: typeof done === 'function' ? done(answer, input) : done,
          color: 'green',
        })
      options.onDone?.(answer, input)
    },
    onSettled: async () => {
      await Promise.all(
        (options.changes ?? []).map(async (queryKey) => client.invalidateQueries({ queryKey })),
      )
    },
  })
}

/** Reports an error that belongs to no field. An abort by the page itself is no error. */
export function complain(error: unknown, message = messageOf(error)): void {
  if (error instanceof DOMException && error.name === 'AbortError') return
  notifications.show({
    title: textOf(common, 'somethingWrong'),
    message,
    color: 'red',
    autoClose: 10_000,
  })
}
