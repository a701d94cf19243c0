/** Changes: what they make old is asked for anew, and what goes wrong is said. */
import { notifications } from '@mantine/notifications'
import { type QueryKey, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { common } from '../i18n/common'
import { textOf } from '../i18n/texts'
import { messageOf } from './errors'

export interface ActionOptions<Input, Answer> {
  run: (input: Input) => Promise<Answer>
  /** Keys of queries whose answers are old afterwards. */
  changes?: readonly QueryKey[]
  /** Shown when it has worked. */
  done?: string | ((answer: Answer, input: Input) => string)
  onDone?: (answer: Answer, input: Input) => void
  /** Shown at once, and taken back when it did not work: what `change` makes of each cached answer. */
  optimistic?: { key: QueryKey; change: (cached: never, input: Input) => unknown }
  /** The caller shows errors itself. */
  quiet?: boolean
}

/** A change that a button makes. Errors are notifications, unless the caller is to show them. */
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
      if (!options.quiet) complain(error)
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

/** Says what went wrong, where there is no field to say it at. What the page itself has ended did not go wrong. */
export function complain(error: unknown, message = messageOf(error)): void {
  if (error instanceof DOMException && error.name === 'AbortError') return
  notifications.show({
    title: textOf(common, 'somethingWrong'),
    message,
    color: 'red',
    autoClose: 10_000,
  })
}
