/** What one node does in a simulation. */
import { completed } from '../../calls/model/outcomes.js'
import type { FlowNode } from '../call-flow.entity.js'
import { otherwise } from '../edges.js'
import type { NodeType, SimulatedEnd, Tried } from '../nodes/flow-node.js'
import { nodeTypes } from '../nodes/index.js'
import type { Trial } from './trial.js'

/** Goes through one node. @param given the outcome that the trial is to have here */
export async function simulateNode(
  node: FlowNode,
  trial: Trial,
  given: string | undefined,
): Promise<SimulatedEnd> {
  const { params } = node
  const type = nodeTypes.get(node.type)
  if (type?.decide) {
    const { outcome, state, details = {} } = type.decide(params, trial.state, trial.circumstances)
    return { outcome: given ?? outcome, details, ...(state && { state }) }
  }
  const details = { ...params, ...(type && (await trial.namesIn(type.params, params))) }
  const tried = { node, params, trial, given, details }
  return type?.simulate?.(tried) ?? succeeded(tried, type)
}

/** The first outcome of a type is the one of a node that did what it is there for. */
function succeeded({ params, given, details }: Tried, type: NodeType | undefined): SimulatedEnd {
  const [first = otherwise] = type?.outcomes(params) ?? []
  return { outcome: given ?? (first === otherwise ? completed : first), details }
}
