import Type, { type Static } from 'typebox'
import { Timestamp, Title, patterned } from '../http/shapes.js'

/** Nodes of one flow. */
export const maxNodes = 200

/** Edges of one node: more than any type of node has outcomes. */
const maxEdges = 40

const triggerType = Type.Enum(['inbound', 'outbound'], { description: 'Which calls it is for' })
const nodeId = patterned('^[A-Za-z0-9_-]{1,64}$', '1 to 64 letters, digits, _ and -')

/** A node as it is sent; its parameters are checked by its type. */
const FlowNodeInput = Type.Object({
  id: nodeId,
  type: Type.String({ maxLength: 64 }),
  params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  next: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      maxProperties: maxEdges,
      additionalProperties: nodeId,
      description: 'The node that each outcome leads to',
    }),
  ),
})
export type FlowNodeInput = Static<typeof FlowNodeInput>

export const CreateCallFlow = Type.Object({
  title: Title(1, 36),
  trigger_type: triggerType,
  nodes: Type.Array(FlowNodeInput, { minItems: 1, maxItems: maxNodes }),
})
export type CreateCallFlow = Static<typeof CreateCallFlow>

export const UpdateCallFlow = Type.Partial(CreateCallFlow)
export type UpdateCallFlow = Static<typeof UpdateCallFlow>

const listed = {
  id: Type.String(),
  workspace_id: Type.String(),
  title: Type.String(),
  trigger_type: triggerType,
  created_at: Timestamp,
  updated_at: Timestamp,
}

/** A flow in a list: without its nodes, which may be large. */
export const ListedCallFlowShape = Type.Object(listed, { title: 'ListedCallFlow' })

const FlowNodeShape = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    params: Type.Record(Type.String(), Type.Unknown()),
    next: Type.Record(Type.String(), Type.String()),
  },
  { title: 'FlowNode' },
)

export const CallFlowShape = Type.Object(
  { ...listed, nodes: Type.Array(FlowNodeShape) },
  { title: 'CallFlow' },
)
