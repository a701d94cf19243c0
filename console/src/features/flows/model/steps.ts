/** The steps of a flow as the editor has them: the API's nodes, with all that may be left out of those. */
import type { components } from '@jackfield/sdk'

export type Step = components['schemas']['FlowNode']
export type Params = Step['params']

export const startType = 'start'

/** The outcome that stands for all that have no edge of their own. */
export const otherwise = 'default'

/** A value within parameters: `queue.max_wait`. */
export function paramAt(params: Params, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), params)
}

/** The parameters with another value; undefined takes it out of them. */
export function withParam(params: Params, path: string, value: unknown): Params {
  const [name = '', ...inner] = path.split('.')
  if (inner.length > 0) {
    const held = params[name]
    return { ...params, [name]: withParam(isRecord(held) ? held : {}, inner.join('.'), value) }
  }
  const { [name]: _before, ...others } = params
  return value === undefined ? others : { ...params, [name]: value }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text of parameters that may hold anything. */
export function textAt(params: Params, path: string): string {
  const value = paramAt(params, path)
  return typeof value === 'string' ? value : ''
}

/** An id that no step has yet: `menu`, `menu_2`. */
export function freeId(steps: readonly Step[], wanted: string): string {
  const taken = new Set(steps.map(({ id }) => id))
  const stem = wanted.slice(0, 56)
  if (!taken.has(stem)) return stem
  let count = 2
  while (taken.has(`${stem}_${count}`)) count++
  return `${stem}_${count}`
}
