/** A step as JSON in the API's format, to paste into another flow or a program. */
import { type Step, isRecord, startType } from './steps'

export function textOfStep({ position: _where, ...step }: Step): string {
  return JSON.stringify(step, null, 2)
}

/** Null for a text that is no step. A start cannot be pasted: each flow has exactly one. */
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
