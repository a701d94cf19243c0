/** The editor's steps: the API's nodes, with all optional fields filled in. */
import type { components } from '@jackfield/sdk'

export type Step = components['schemas']['FlowNode']
export type Params = Step['params']

export const startType = 'start'

/** Outcome for everything without an edge of its own. */
export const otherwise = 'default'

/** A value at a path of the parameters: `queue.max_wait`. */
export function paramAt(params: Params, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), params)
}

/** Sets a value at a path; undefined removes it. */
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

/** A string parameter; other types are read as ''. */
export function textAt(params: Params, path: string): string {
  const value = paramAt(params, path)
  return typeof value === 'string' ? value : ''
}

/** An unused id: `menu`, `menu_2`. */
export function freeId(steps: readonly Step[], wanted: string): string {
  const taken = new Set(steps.map(({ id }) => id))
  const stem = wanted.slice(0, 56)
  if (!taken.has(stem)) return stem
  let count = 2
  while (taken.has(`${stem}_${count}`)) count++
  return `${stem}_${count}`
}
