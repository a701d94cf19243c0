import Type, { type Static } from 'typebox'
import { wellFormed } from '../../../infrastructure/http/shapes.js'
import { nationalDigits, withoutSeparators } from '../../../lib/numbering/e164.js'
import { Subject, firstOf, valueOf } from '../subjects.js'
import { flowNode, nodeProblem } from './flow-node.js'

const unary = ['is_set', 'is_not_set']

const Condition = Type.Object({
  subject: Subject,
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
type Condition = Static<typeof Condition>

/** Characters that people are shown of a value. */
const maxShown = 255

/** `true` when all of its conditions hold, or any. */
export const condition = flowNode({
  type: 'condition',
  group: 'decide',
  summary: 'Branches by what is known of the call',
  params: Type.Object({
    match: Type.Optional(
      Type.Enum(['all', 'any'], { description: 'Whether all conditions must hold or any; all by default' }),
    ),
    conditions: Type.Array(Condition, {
      ...{ minItems: 1, maxItems: 20 },
      description: 'Comparisons of a subject with a value',
    }),
  }),
  fields: { conditions: { kind: 'conditions' }, match: { kind: 'none' } },
  outcomes: ['true', 'false'],
  check: (_workspace, { params }) =>
    params.conditions.flatMap(({ operator, value }, index) => {
      const field = `params.conditions.${index}.value`
      if (unary.includes(operator) === (value === undefined)) return []
      return [nodeProblem(field, value === undefined ? 'is required' : `has no meaning with ${operator}`)]
    }),
  decide({ match = 'all', conditions }, state, { country }) {
    const looked = conditions.map((one) => {
      const found = valueOf(one.subject, state)
      return { ...one, found: found && firstOf(found, maxShown), holds: holds(one, found, country) }
    })
    const outcome = match === 'all' ? looked.every((one) => one.holds) : looked.some((one) => one.holds)
    return { outcome: String(outcome), details: { match, conditions: looked } }
  },
})

function holds(
  { subject, operator, value: written = '' }: Condition,
  found: string | null,
  country: string | null,
): boolean {
  if (operator === 'is_set') return found !== null
  if (operator === 'is_not_set') return found === null
  const isNumber = subject === 'caller_number' || subject === 'called_number'
  const value = isNumber ? withoutSeparators(written) : written
  const forms = found === null ? [] : isNumber ? formsOf(found, country) : [found]
  return operator === 'not_equals'
    ? !forms.includes(value)
    : forms.some((form) => comparisons[operator](form, value))
}

const comparisons = {
  equals: (found: string, value: string) => found === value,
  starts_with: (found: string, value: string) => found.startsWith(value),
  ends_with: (found: string, value: string) => found.endsWith(value),
  contains: (found: string, value: string) => found.includes(value),
}

/** Numbers are compared as they are written with the plus sign, without it, and as people of the country dial them. */
function formsOf(found: string, country: string | null): string[] {
  if (!found.startsWith('+')) return [found]
  const digits = found.slice(1)
  const national = nationalDigits(digits, country ?? '')
  return [found, digits, ...(national === null ? [] : [national])]
}
