import Type from 'typebox'
import { patterned } from '../../../infrastructure/http/shapes.js'
import { otherwise } from '../edges.js'
import { fitVariables } from '../flow-state.js'
import { TextWithSubjects, fillIn, firstOf, placeholderProblems, variableName } from '../subjects.js'
import { flowNode } from './flow-node.js'

/** Characters of a value; the text for a placeholder may be longer than the placeholder. */
const maxLength = 500

/** If the call has no room left for the value, it is not set. */
export const setVariable = flowNode({
  type: 'set_variable',
  group: 'decide',
  summary: 'Sets a variable of the call',
  params: Type.Object({
    name: patterned(`^${variableName}$`, 'a lowercase letter, then up to 31 of a-z, 0-9 and _', {
      description: 'Name of the variable',
    }),
    value: TextWithSubjects('Value', { maxLength }),
  }),
  check: (_workspace, { params: { value } }) => placeholderProblems('params.value', value),
  decide({ name, value }, state) {
    const filled = firstOf(fillIn(value, state), maxLength)
    const variables = { ...state.variables, [name]: filled }
    return fitVariables(variables)
      ? { outcome: otherwise, state: { ...state, variables }, details: { name, value: filled } }
      : { outcome: otherwise, details: { name, problem: 'the variables of the call are full' } }
  },
})
