/** The types of nodes as editors of flows see them. */
import type { TSchema } from 'typebox'
import type { FieldHint } from '../../../infrastructure/http/shapes.js'
import type { FlowNodeTypeShape } from '../call-flow.schema.js'
import type { NodeType } from './flow-node.js'
import { nodeTypes } from './index.js'

interface ObjectSchema {
  properties: Readonly<Record<string, TSchema & { 'x-field'?: FieldHint }>>
}

/** In the order in which editors offer them. */
export const describedNodes: readonly FlowNodeTypeShape[] = [...nodeTypes.values()].map(described)

function described(node: NodeType): FlowNodeTypeShape {
  const { type, group, summary } = node
  return { type, group, summary, outcomes: [...node.outcomes(undefined)], params: paramsOf(node) }
}

/** The schema of the parameters, with what the node adds to their `x-field`. */
function paramsOf({ params, fields = {} }: NodeType): FlowNodeTypeShape['params'] {
  const { properties, ...schema } = params as unknown as ObjectSchema
  const hinted = Object.entries(properties).map(([name, property]) => {
    const hint = { ...property['x-field'], ...fields[name] }
    return [name, Object.keys(hint).length > 0 ? { ...property, 'x-field': hint } : property]
  })
  return { ...schema, properties: Object.fromEntries(hinted) as object }
}
