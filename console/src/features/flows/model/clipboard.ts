/** A step as a text: JSON as the API has it, so that it can go to another flow, or to a program. */
import { type Step, isRecord, startType } from './steps'

export function textOfStep({ position: _where, ...step }: Step): string {
  return JSON.stringify(step, null, 2)
}

/** Null for a text that is no step. Whom a start leads to is no use in another flow, which has one already. */
export function stepOfText(text: string): Pick<Step, 'type' | 'params'> | null {
  const value = parsed(text)
  if (!isRecord(value)) return null
  const { type, params } = value
  return typeof type === 'string' && type !== startType && isRecord(params) ? { type, params } : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
