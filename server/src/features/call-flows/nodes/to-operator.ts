import { completed } from '../../calls/model/outcomes.js'
import { toOperator } from '../../calls/script/actions/to-operator.js'
import { reached } from './dialling.js'
import { actionNode } from './flow-node.js'

export const toOperatorNode = actionNode(toOperator, {
  group: 'connect',
  outcomes: reached,
  fields: { phone_number: { kind: 'operator' }, to: { kind: 'none' }, from: { kind: 'none' } },
  caller: 'connected',
  async simulate({ params, trial, given, details }) {
    const { routing } = trial.services.actions
    const found = await routing.find(trial.workspace, String(params.phone_number))
    const inside = found && found.kind !== 'number' ? { reaches: found.name } : {}
    return { outcome: given ?? completed, details: { ...details, ...inside } }
  },
})
