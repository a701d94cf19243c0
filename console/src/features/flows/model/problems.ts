/** What the API says is wrong with a flow, at the step and the field that it belongs to. */
import type { components } from '@jackfield/sdk'
import type { Step } from './steps'

export type FlowCheck = components['schemas']['CallFlowCheck']

export interface Problem {
  /** Null when it is about the flow as a whole. */
  step: string | null
  /** Within the step: `params.audio_id`, `next.busy`; empty for the step itself. */
  place: string
  message: string
}

/** @param checked the steps as they were sent: problems count them */
export function problemsIn(problems: FlowCheck['problems'], checked: readonly Step[]): Problem[] {
  return problems.map(({ field, messages }) => {
    const [, index, place = ''] = /^nodes\.(\d+)\.?(.*)$/.exec(field) ?? []
    const step = index === undefined ? undefined : checked[Number(index)]
    const message = messages.map((text) => inWords(text, field, checked)).join(', ')
    return { step: step?.id ?? null, place, message }
  })
}

/** The API names the field first, which stands beside it here, and counts steps, which have names here. */
function inWords(message: string, field: string, steps: readonly Step[]): string {
  const rest = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
  return rest.replace(/\bnodes\.(\d+)\b/g, (whole, index: string) => steps[Number(index)]?.id ?? whole)
}

/** The problem at one field of a step, if there is one. */
export function problemAt(problems: readonly Problem[], place: string): string | undefined {
  return problems.find((problem) => problem.place === place)?.message
}
