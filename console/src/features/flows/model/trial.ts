/** A trial call: the user's input, and the request made from it. */
import { writtenNumber } from '../../../api/written-number'
import type { components } from '@jackfield/sdk'
import { type Step, otherwise } from './steps'
import { kindOf, outcomesOf } from './step-kinds'

export type Simulation = components['schemas']['Simulation']

/** Properties of the call; texts are as typed. */
export interface TrialForm {
  caller: string
  called: string
  time: string
  keys: string
  contact: string
  /** '' for a random branch. */
  seed: number | ''
  outcomes: Record<string, string>
  actions: Record<string, string>
}

export const emptyTrial: TrialForm = {
  ...{ caller: '', called: '', time: '', keys: '', contact: '', seed: '', outcomes: {}, actions: {} },
}

export class WrongJson extends Error {
  constructor(
    readonly field: string,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause))
  }
}

/** @throws {@link WrongJson} */
export function requestOf(form: TrialForm, steps: readonly Step[]) {
  const there = new Set(steps.map(({ id }) => id))
  const outcomes = Object.entries(form.outcomes).filter(([id, outcome]) => there.has(id) && outcome !== '')
  const actions = Object.entries(form.actions).filter(([id, text]) => there.has(id) && text.trim() !== '')
  return {
    ...(form.caller.trim() && { caller_number: writtenNumber(form.caller) }),
    ...(form.called.trim() && { called_number: writtenNumber(form.called) }),
    ...(form.time && { time: new Date(form.time).toISOString() }),
    ...(form.keys.trim() && { keys: form.keys.split(',').map((pressed) => pressed.trim()) }),
    ...(form.contact.trim() && { contact: jsonOf('contact', form.contact) as Record<string, never> | null }),
    ...(form.seed !== '' && { seed: form.seed }),
    ...(outcomes.length > 0 && { outcomes: Object.fromEntries(outcomes) }),
    ...(actions.length > 0 && {
      actions: Object.fromEntries(actions.map(([id, text]) => [id, jsonOf(`actions.${id}`, text) as never])),
    }),
  }
}

function jsonOf(field: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new WrongJson(field, error)
  }
}

/** Whether people or servers decide the outcome of a step. */
export function isOfOthers(step: Step): boolean {
  const group = kindOf(step.type)?.group
  return (group === 'connect' || group === 'services') && canBeDecided(step)
}

/** Whether a step has several outcomes. */
export function canBeDecided(step: Step): boolean {
  return outcomesOf(step).some((outcome) => outcome !== otherwise)
}
