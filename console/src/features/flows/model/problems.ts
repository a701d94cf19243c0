/** The API's validation errors, mapped to steps and fields. */
import type { components } from '@jackfield/sdk'
import { fieldMessage } from '../../../api/errors'
import { type Step, paramAt } from './steps'

export type FlowCheck = components['schemas']['CallFlowCheck']

export interface Problem {
  /** Null if it concerns the flow as a whole. */
  step: string | null
  /** Path within the step: `params.audio_id`, `next.busy`; empty for the step itself. */
  place: string
  message: string
  /** Nothing is filled in there yet: work to do, rather than a mistake. */
  isOpen: boolean
}

/** @param checked the steps as they were sent: errors have their indexes */
export function problemsIn(problems: FlowCheck['problems'], checked: readonly Step[]): Problem[] {
  return problems.map((problem) => {
    const { field } = problem
    const [, index, place = ''] = /^nodes\.(\d+)\.?(.*)$/.exec(field) ?? []
    const step = index === undefined ? undefined : checked[Number(index)]
    const message = withNames(fieldMessage(problem), checked)
    return { step: step?.id ?? null, place, message, isOpen: step !== undefined && isEmpty(step, place) }
  })
}

/** The API names other steps by their index. */
function withNames(message: string, steps: readonly Step[]): string {
  return message.replace(/\bnodes\.(\d+)\b/g, (whole, index: string) => steps[Number(index)]?.id ?? whole)
}

/** Whether a place of a step has no value yet, or a step is not connected. */
function isEmpty({ params }: Step, place: string): boolean {
  if (['', 'params', 'next'].includes(place)) return true
  if (!place.startsWith('params.')) return false
  const value = paramAt(params, place.slice('params.'.length))
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** The problems of a step that its form shows as errors. */
export function errorsOf(
  problems: readonly Problem[],
  step: Pick<Step, 'id'>,
  isStrict: boolean,
): readonly Problem[] {
  return problems.filter((problem) => problem.step === step.id && (isStrict || !problem.isOpen))
}

/** The problem at one field of a step, if any. */
export function problemAt(problems: readonly Problem[], place: string): string | undefined {
  return problems.find((problem) => problem.place === place)?.message
}
