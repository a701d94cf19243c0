/** Validates the steps with the API, a moment after each change. */
import { ApiError, dataOf } from '@jackfield/sdk'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client'
import { isStatus, isWorthRetrying } from '../../../api/errors'
import { loadErrorWords } from '../../../api/problems/load'
import { type FlowCheck, type Problem, problemsIn } from '../model/problems'
import { sentSteps } from '../model/step-kinds'
import type { Step } from '../model/steps'

/** Debounce: typing must not use up the rate limit. */
const afterMs = 700

interface Checked {
  problems: readonly Problem[]
  names: FlowCheck['names']
}

export interface Check extends Checked {
  /** Whether the result is for the current steps; an older one stays meanwhile. */
  answer: 'current' | 'awaited' | 'failed'
  again: () => void
}

const nothing: Checked = { problems: [], names: {} }

export function useFlowCheck(steps: readonly Step[]): Check {
  const [settled] = useDebouncedValue(steps, afterMs)
  const [last, setLast] = useState(nothing)
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['flow-check', settled],
    queryFn: async ({ signal }) => checked(settled, signal),
    retry: (failures, error) => isStatus(error, 429) || (failures < 2 && isWorthRetrying(error)),
    retryDelay: (failures, error) =>
      error instanceof ApiError && error.status === 429
        ? (error.retryAfter ?? 60) * 1_000
        : 500 * 2 ** failures,
    gcTime: 60_000,
    staleTime: 30_000,
  })
  if (data && data !== last) setLast(data)
  const isOfThese = settled === steps
  return {
    ...(data ?? last),
    answer: isOfThese && data ? 'current' : isOfThese && isError && !isFetching ? 'failed' : 'awaited',
    again: () => void refetch(),
  }
}

async function checked(steps: readonly Step[], signal: AbortSignal): Promise<Checked> {
  try {
    const { problems, names } = await dataOf(
      api.POST('/call-flows/check', { body: { nodes: sentSteps(steps) }, signal }),
    )
    // They come with a 200.
    if (problems.length > 0) await loadErrorWords()
    return { problems: problemsIn(problems, steps), names }
  } catch (error) {
    // Malformed steps get an ordinary 400 with field errors.
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    return { problems: problemsIn([...error.errors], steps), names: {} }
  }
}
