/** Values of the call, for conditions and placeholders. */
import type { FlowState } from '../flow-state.js'
import { placeholders } from '../nodes/decisions.js'

/**
 * The value of a subject such as `digits` or `contact.account.tier`, as text. Values that are neither text nor null become
 * JSON.
 * @returns null when there is none, or it is empty
 */
export function valueOf(subject: string, state: FlowState): string | null {
  const [root = '', ...path] = subject.split('.')
  switch (root) {
    case 'caller_number':
      return state.caller_number || null
    case 'called_number':
      return state.called_number || null
    case 'digits':
      return state.digits || null
    case 'contact':
      return textOf(walk(state.contact, path))
    case 'variable':
      return textOf(walk(state.variables, path))
    default:
      return null
  }
}

/** Puts the values of subjects in the place of `{{caller_number}}` and the like; nothing where there is no value. */
export function fillIn(text: string, state: FlowState): string {
  return text.replace(placeholders, (_written, subject: string) => valueOf(subject.trim(), state) ?? '')
}

/** The first characters of a text; a pair of surrogates is one character. */
export function firstOf(text: string, characters: number): string {
  return text.length <= characters ? text : [...text].slice(0, characters).join('')
}

/** Own properties only: a path never leads out of the data. */
function walk(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    data,
  )
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  return typeof value === 'string' ? value.replace(halves, '\ufffd') : JSON.stringify(value)
}

/** Halves of a surrogate pair, which JSON may hold and our JSON columns refuse. */
const halves = /\p{Surrogate}/gu
