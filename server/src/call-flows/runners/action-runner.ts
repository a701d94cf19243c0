import { findAction } from '../../calls/actions/index.js'
import { perform } from '../../calls/actions/perform.js'
import type { NodeRunner } from './node-runner.js'

/** Runs the call action of the node's name with the node's parameters. */
export const runAction: NodeRunner = async ({ node, context }) => {
  const action = findAction(node.type)
  if (!action) throw new Error(`${node.type} is not available yet`)
  const { outcome, problem } = await perform(context, { action: node.type, params: node.params })
  return {
    outcome,
    details: { ...action.describe?.(node.params), ...(problem !== undefined && { problem }) },
  }
}
