/** What the API says of the steps in the editor, a moment after each change. */
import { ApiError, dataOf } from '@jackfield/sdk'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { type FlowCheck, type Problem, problemsIn } from '../model/problems'
import type { Step } from '../model/steps'

/** Nobody who types is to use up the requests of a minute. */
const afterMs = 700

interface Checked {
  problems: readonly Problem[]
  names: FlowCheck['names']
  /** Whether that is about the steps as they are now. */
  isCurrent: boolean
}

const nothing: Checked = { problems: [], names: {}, isCurrent: false }

export function useFlowCheck(steps: readonly Step[]): Checked {
  const [settled] = useDebouncedValue(steps, afterMs)
  const query = useQuery({
    queryKey: ['flow-check', settled],
    queryFn: async ({ signal }) => checked(settled, signal),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    staleTime: 30_000,
  })
  if (!query.data) return nothing
  return { ...query.data, isCurrent: settled === steps && !query.isPlaceholderData }
}

async function checked(steps: readonly Step[], signal: AbortSignal): Promise<Omit<Checked, 'isCurrent'>> {
  try {
    const { problems, names } = await dataOf(
      api.POST('/call-flows/check', { body: { nodes: [...steps] }, signal }),
    )
    return { problems: problemsIn(problems, steps), names }
  } catch (error) {
    // What is not even the shape of a step is told as any other bad request.
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    return { problems: problemsIn([...error.errors], steps), names: {} }
  }
}
