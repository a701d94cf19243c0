import { type IvrParams, collectDigits, ivr } from '../../calls/script/actions/ivr.js'
import type { NodeTrial } from './node-trial.js'
import { checkOf, flowNode } from './flow-node.js'

const defaultDigits = 1

/** Collects digits, which conditions behind it can look at. */
export const ivrNode = flowNode({
  type: ivr.name,
  group: 'ask',
  summary: ivr.summary,
  params: ivr.params,
  outcomes: ['completed', 'timeout', 'error'],
  waits: true,
  caller: 'hears',
  check: checkOf(ivr),
  async run({ params, state, context }) {
    const { digits, status } = await collectDigits(context, params)
    return { outcome: status, state: { ...state, digits }, details: { digits } }
  },
  simulate({ params, trial, given, details }) {
    const { digits, status } = collectedKeys(params, trial)
    return { outcome: given ?? status, details: { ...details, digits }, state: { ...trial.state, digits } }
  },
})

/** The keys that an `ivr` collects in a simulation. */
export function collectedKeys({ max_digits = defaultDigits }: IvrParams, { keys }: NodeTrial) {
  return keys.collect(max_digits)
}
