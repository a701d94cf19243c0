/** Subjects of conditions, which texts may hold as placeholders: `{{caller_number}}`. */
import Type from 'typebox'
import type { FieldProblem } from '../../infrastructure/http/errors.js'
import { type FieldHint, patterned, wellFormed } from '../../infrastructure/http/shapes.js'
import type { FlowState } from './flow-state.js'

/** Without anchors. */
export const variableName = '[a-z][a-z0-9_]{0,31}'

const subjectPattern = `^(caller_number|called_number|digits|contact(\\.[A-Za-z0-9_-]{1,64}){1,5}|variable\\.${variableName})$`
const isSubject = new RegExp(subjectPattern)
const subjectRule = 'caller_number, called_number, digits, contact.<field> or variable.<name>'

export const Subject = patterned(subjectPattern, subjectRule, { description: 'What is compared' })

const placeholders = /\{\{([^{}]*)\}\}/g

/** A text with placeholders. @param description of the text without them */
export function TextWithSubjects(
  description: string,
  { kind, ...limits }: { kind?: 'text'; minLength?: number; maxLength: number },
) {
  return Type.String({
    ...limits,
    ...{ pattern: wellFormed, 'x-rule': 'a well-formed text' },
    description: `${description}; may hold subjects of conditions, as {{caller_number}}`,
    'x-field': { ...(kind && { kind }), placeholders: true } satisfies FieldHint,
  })
}

/** Placeholders of a text that name no subject. */
export function placeholderProblems(field: string, text: string): FieldProblem[] {
  return [...text.matchAll(placeholders)]
    .filter(([, name]) => !isSubject.test(name?.trim() ?? ''))
    .map(([written]) => ({ field, messages: [`${field} must name ${subjectRule} in ${written}`] }))
}

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
