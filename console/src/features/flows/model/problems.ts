/** The API's validation errors, mapped to steps and fields. */
import type { components } from '@jackfield/sdk'
import { fieldMessage } from '../../../api/errors'
import type { Step } from './steps'

export type FlowCheck = components['schemas']['CallFlowCheck']

export interface Problem {
  /** Null if it concerns the flow as a whole. */
  step: string | null
  /** Path within the step: `params.audio_id`, `next.busy`; empty for the step itself. */
  place: string
  message: string
}

/** @param checked the steps as they were sent: errors have their indexes */
export function problemsIn(problems: FlowCheck['problems'], checked: readonly Step[]): Problem[] {
  return problems.map((problem) => {
    const { field } = problem
    const [, index, place = ''] = /^nodes\.(\d+)\.?(.*)$/.exec(field) ?? []
    const step = index === undefined ? undefined : checked[Number(index)]
    const message = withNames(fieldMessage(problem), checked)
    return { step: step?.id ?? null, place, message }
  })
}

/** The API names other steps by their index. */
function withNames(message: string, steps: readonly Step[]): string {
  return message.replace(/\bnodes\.(\d+)\b/g, (whole, index: string) => steps[Number(index)]?.id ?? whole)
}

/** The problem at one field of a step, if any. */
export function problemAt(problems: readonly Problem[], place: string): string | undefined {
  return problems.find((problem) => problem.place === place)?.message
}
