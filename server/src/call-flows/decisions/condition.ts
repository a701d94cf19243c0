import type { Condition, ConditionParams } from '../nodes/decisions.js'
import { decision } from './decision.js'
import { firstOf, valueOf } from './subjects.js'

/** Characters that people are shown of a value. */
const maxShown = 255

/** `true` when all of its conditions hold, or any. */
export const condition = decision<ConditionParams>(({ match = 'all', conditions }, state) => {
  const looked = conditions.map((one) => {
    const found = valueOf(one.subject, state)
    return { ...one, found: found && firstOf(found, maxShown), holds: holds(one, found) }
  })
  const outcome = match === 'all' ? looked.every((one) => one.holds) : looked.some((one) => one.holds)
  return { outcome: String(outcome), state, details: { match, conditions: looked } }
})

function holds({ subject, operator, value = '' }: Condition, found: string | null): boolean {
  if (operator === 'is_set') return found !== null
  if (operator === 'is_not_set') return found === null
  const forms = found === null ? [] : formsOf(subject, found)
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

/** Numbers are compared as they are written with the plus sign, and without. */
function formsOf(subject: string, found: string): string[] {
  const isNumber = subject === 'caller_number' || subject === 'called_number'
  return isNumber && found.startsWith('+') ? [found, found.slice(1)] : [found]
}
