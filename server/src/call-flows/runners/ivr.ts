import { collectDigits } from '../../calls/actions/ivr.js'
import type { NodeRunner } from './node-runner.js'

/** Collects digits, which conditions behind it can look at. */
export const runIvr: NodeRunner = async ({ node, state, context }) => {
  const { digits, status } = await collectDigits(context, node.params)
  return { outcome: status, state: { ...state, digits }, details: { digits } }
}
