import { fitVariables } from '../flow-state.js'
import type { SetVariableParams } from '../nodes/decisions.js'
import { otherwise } from '../nodes/node-type.js'
import { decision } from './decision.js'
import { fillIn, firstOf } from './subjects.js'

/** Characters of a value; the text for a placeholder may be longer than the placeholder. */
const maxLength = 500

/** If the call has no room left for the value, it is not set. */
export const setVariable = decision<SetVariableParams>(({ name, value }, state) => {
  const filled = firstOf(fillIn(value, state), maxLength)
  const variables = { ...state.variables, [name]: filled }
  if (!fitVariables(variables)) {
    return { outcome: otherwise, state, details: { name, problem: 'the variables of the call are full' } }
  }
  return { outcome: otherwise, state: { ...state, variables }, details: { name, value: filled } }
})
