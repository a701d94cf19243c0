/** Nodes that choose the next node. */
import Type, { type Static } from 'typebox'
import type { FieldProblem } from '../../http/errors.js'
import { patterned, wellFormed } from '../../http/shapes.js'
import { node, nodeProblem, otherwise } from './node-type.js'

const variableName = '[a-z][a-z0-9_]{0,31}'

const subjectPattern = `^(caller_number|called_number|digits|contact(\\.[A-Za-z0-9_-]{1,64}){1,5}|variable\\.${variableName})$`
const isSubject = new RegExp(subjectPattern)
const subjectRule = 'caller_number, called_number, digits, contact.<field> or variable.<name>'

/** The subject of a condition. */
const subject = patterned(subjectPattern, subjectRule, { description: 'What is compared' })

/** A placeholder for a value of the call: `{{digits}}`. */
export const placeholders = /\{\{([^{}]*)\}\}/g

const unary = ['is_set', 'is_not_set']

const Condition = Type.Object({
  subject,
  operator: Type.Enum([
    'equals',
    'not_equals',
    'starts_with',
    'ends_with',
    'contains',
    'is_set',
    'is_not_set',
  ]),
  value: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: wellFormed,
      'x-rule': 'a well-formed text',
      description: 'What it is compared with; not with is_set and is_not_set',
    }),
  ),
})
export type Condition = Static<typeof Condition>

const ConditionParams = Type.Object({
  match: Type.Optional(
    Type.Enum(['all', 'any'], { description: 'Whether all conditions must hold or any; all by default' }),
  ),
  conditions: Type.Array(Condition, {
    ...{ minItems: 1, maxItems: 20 },
    description: 'Comparisons of a subject with a value',
  }),
})
export type ConditionParams = Static<typeof ConditionParams>

export const conditionNode = node({
  type: 'condition',
  summary: 'Branches by what is known of the call',
  params: ConditionParams,
  outcomes: ['true', 'false'],
  check: (_workspace, { params }) =>
    params.conditions.flatMap(({ operator, value }, index) => {
      const field = `params.conditions.${index}.value`
      if (unary.includes(operator) === (value === undefined)) return []
      return [nodeProblem(field, value === undefined ? 'is required' : `has no meaning with ${operator}`)]
    }),
})

const SetVariableParams = Type.Object({
  name: patterned(`^${variableName}$`, 'a lowercase letter, then up to 31 of a-z, 0-9 and _', {
    description: 'Name of the variable',
  }),
  value: Type.String({
    maxLength: 500,
    pattern: wellFormed,
    'x-rule': 'a well-formed text',
    description: 'Value; may hold subjects of conditions, as {{caller_number}}',
  }),
})
export type SetVariableParams = Static<typeof SetVariableParams>

export const setVariableNode = node({
  type: 'set_variable',
  summary: 'Sets a variable of the call',
  params: SetVariableParams,
  check: (_workspace, { params: { value } }) => placeholderProblems('params.value', value),
})

/** The problem of a text's placeholders. */
export function placeholderProblems(field: string, text: string): FieldProblem[] {
  return [...text.matchAll(placeholders)]
    .filter(([, name]) => !isSubject.test(name?.trim() ?? ''))
    .map(([written]) => nodeProblem(field, `must name ${subjectRule} in ${written}`))
}

const SplitParams = Type.Object({
  branches: Type.Array(
    Type.Object({
      outcome: patterned('^[a-z0-9_]{1,32}$', 'up to 32 of a-z, 0-9 and _'),
      percent: Type.Integer({ minimum: 1, maximum: 99 }),
    }),
    { minItems: 2, maxItems: 20, description: 'Outcomes with their percentages, 100 together' },
  ),
})
export type SplitParams = Static<typeof SplitParams>

/** Branches at random. */
export const splitNode = node({
  type: 'split',
  summary: 'Branches at random, by percentages',
  params: SplitParams,
  outcomes: ({ branches }) => branches.map(({ outcome }) => outcome),
  check(_workspace, { params: { branches } }) {
    const names = branches.map(({ outcome }) => outcome)
    const problems = names.flatMap((name, index) => {
      const field = `params.branches.${index}.outcome`
      if (name === otherwise) return [nodeProblem(field, `must not be ${otherwise}`)]
      return names.indexOf(name) < index ? [nodeProblem(field, 'occurs twice')] : []
    })
    const sum = branches.reduce((total, { percent }) => total + percent, 0)
    return sum === 100 ? problems : [...problems, nodeProblem('params.branches', 'must make up 100 percent')]
  },
})
