import { fitVariables } from '../flow-state.js'
import type { SetVariableParams } from '../nodes/decisions.js'
import { otherwise } from '../nodes/node-type.js'
import { decision } from './decision.js'
import { fillIn, firstOf } from './subjects.js'

/** Characters of a value; what stands in the place of a placeholder may be longer than the placeholder. */
const maxLength = 500

/** A value for which the call has no room left is not set. */
export const setVariable = decision<SetVariableParams>(({ name, value }, state) => {
  const filled = firstOf(fillIn(value, state), maxLength)
  const variables = { ...state.variables, [name]: filled }
  if (!fitVariables(variables)) {
    return { outcome: otherwise, state, details: { name, problem: 'the variables of the call are full' } }
  }
  return { outcome: otherwise, state: { ...state, variables }, details: { name, value: filled } }
})
