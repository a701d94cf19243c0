import Type from 'typebox'
import { otherwise } from '../edges.js'
import { flowNode } from './flow-node.js'

/** The type of each flow's first node. */
export const startType = 'start'

export const start = flowNode({
  type: startType,
  group: null,
  summary: 'Where every call begins',
  params: Type.Object({}),
  decide: () => ({ outcome: otherwise }),
})
