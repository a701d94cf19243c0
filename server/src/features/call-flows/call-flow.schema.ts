import { type NodeGroup, nodeGroups } from './nodes/node-groups.js'
import Type, { type Static } from 'typebox'
import { Id, Timestamp, Title, nullable, patterned } from '../../infrastructure/http/shapes.js'

/** Most nodes of one flow. */
export const maxNodes = 200

/** Most edges of one node: more than any type of node has outcomes. */
const maxEdges = 40

const triggerType = Type.Enum(['inbound', 'outbound'], { description: 'Which calls it is for' })
const nodeId = patterned('^[A-Za-z0-9_-]{1,64}$', '1 to 64 letters, digits, _ and -')

/** Farther than any editor draws. */
const farthest = 1_000_000

const coordinate = Type.Integer({ minimum: -farthest, maximum: farthest })

const Position = Type.Object(
  { x: coordinate, y: coordinate },
  { description: 'Where an editor draws it; calls do not depend on it' },
)

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
  position: Type.Optional(Position),
})
export type FlowNodeInput = Static<typeof FlowNodeInput>

const nodes = Type.Array(FlowNodeInput, { minItems: 1, maxItems: maxNodes })

const dialCode = nullable(
  patterned('^(0|[*#][0-9]{1,4}#?)$', '0, or * or # with 1 to 4 digits and perhaps #', {
    description: 'What phones of the workspace dial to reach the flow; null: nothing',
  }),
)

export const CreateCallFlow = Type.Object({
  title: Title(1, 36),
  trigger_type: triggerType,
  nodes,
  dial_code: Type.Optional(dialCode),
})
export type CreateCallFlow = Static<typeof CreateCallFlow>

export const UpdateCallFlow = Type.Partial(
  Type.Object({
    ...CreateCallFlow.properties,
    base_version: Type.Integer({
      minimum: 1,
      maximum: 4_294_967_295,
      description:
        'The version that the nodes were made from: they are refused when the flow has a newer one',
    }),
  }),
)
export type UpdateCallFlow = Static<typeof UpdateCallFlow>

/** Nodes that may be incomplete. */
export const PutFlowDraft = Type.Object({
  nodes: Type.Array(FlowNodeInput, { maxItems: maxNodes }),
  base_version: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 4_294_967_295 },
      description:
        'The version that the nodes were made from; that of the draft before, or else the newest, by default',
    }),
  ),
  revision: Type.Optional(
    Type.Integer({
      ...{ minimum: 0, maximum: 4_294_967_295 },
      description: 'The revision that is replaced: any other is refused; 0: there is no draft yet',
    }),
  ),
})
export type PutFlowDraft = Static<typeof PutFlowDraft>

export const PublishFlowDraft = Type.Object({
  revision: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 4_294_967_295 },
      description: 'The revision that is meant: any other is refused',
    }),
  ),
  overwrite: Type.Optional(
    Type.Boolean({
      description: 'Publishes also over a version that is newer than the one the draft was made from',
    }),
  ),
})
export type PublishFlowDraft = Static<typeof PublishFlowDraft>

/** Nodes that nothing keeps. */
export const CheckCallFlow = Type.Object({ nodes })

/** A flow that nothing keeps. */
export const UnsavedCallFlow = Type.Object({ trigger_type: triggerType, nodes })

const listed = {
  id: Type.String(),
  workspace_id: Type.String(),
  title: Type.String(),
  trigger_type: triggerType,
  dial_code: nullable(Type.String({ description: 'What phones dial to reach the flow' })),
  phone_numbers: Type.Array(
    Type.Object({
      id: Type.String(),
      number: Type.String({ description: 'Digits with the country calling code' }),
      title: Type.String(),
    }),
    { description: 'The numbers whose calls it takes' },
  ),
  has_draft: Type.Boolean({ description: 'Whether there are steps that are not published yet' }),
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
    position: Type.Optional(Position),
  },
  { title: 'FlowNode' },
)

export const CallFlowShape = Type.Object(
  {
    ...listed,
    version: Type.Integer({ description: 'Of the nodes; the newest of its versions' }),
    nodes: Type.Array(FlowNodeShape),
  },
  { title: 'CallFlow' },
)

export const FlowDraftShape = Type.Object(
  {
    call_flow_id: Type.String(),
    nodes: Type.Array(FlowNodeShape, { description: 'They may be incomplete' }),
    base_version: Type.Integer({ description: 'The version that the draft was made from' }),
    revision: Type.Integer({ description: 'Changes with each save' }),
    updated_by: Type.Object(
      {
        kind: Type.String(),
        id: nullable(Type.String()),
        name: nullable(Type.String({ description: 'Null when it is gone, or has none' })),
      },
      { description: 'As in the audit log' },
    ),
    updated_at: Timestamp,
  },
  { title: 'CallFlowDraft' },
)

const version = Type.Integer({
  minimum: 1,
  maximum: 4_294_967_295,
  description: 'From 1; the newest is the highest',
})

export const flowVersionParams = Type.Object({ id: Id(), version })

const listedVersion = {
  call_flow_id: Type.String(),
  version: Type.Integer(),
  created_by: nullable(
    Type.Object(
      {
        kind: Type.String(),
        id: nullable(Type.String()),
        name: nullable(Type.String({ description: 'Null when it is gone, or has none' })),
      },
      { description: 'As in the audit log; null for versions that are older than this field' },
    ),
  ),
  created_at: Timestamp,
}

/** A version in a list: without its nodes. */
export const ListedFlowVersionShape = Type.Object(
  { ...listedVersion, node_count: Type.Integer() },
  { title: 'ListedCallFlowVersion' },
)

export const FlowVersionShape = Type.Object(
  { ...listedVersion, nodes: Type.Array(FlowNodeShape) },
  { title: 'CallFlowVersion' },
)

export const FlowCheckShape = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether a flow of these nodes may be created' }),
    problems: Type.Array(
      Type.Object({
        field: Type.String({ description: 'Its place, such as `nodes.3.next.busy`' }),
        messages: Type.Array(Type.String()),
      }),
    ),
    names: Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
      description:
        'Names of the objects to which the nodes refer, by the ids of the nodes and the places in their params: `{"sales": {"team_id": "Sales"}}`',
    }),
  },
  { title: 'CallFlowCheck' },
)

const FlowNodeTypeShape = Type.Object(
  {
    type: Type.String(),
    group: Type.Unsafe<NodeGroup | null>({
      ...{ type: ['string', 'null'], enum: [...nodeGroups, null] },
      description: 'Where an editor offers it; null: nowhere, as each flow has one',
    }),
    summary: Type.String(),
    outcomes: Type.Array(Type.String(), {
      description: 'The edges that may leave it; none when it ends the call',
    }),
    params: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'JSON Schema. `x-reference` is the kind of object that a value names, `x-outcome` marks values that are outcomes, too, and `x-field` says how a form draws a value: `kind`, `default`, and whether a text may hold `placeholders`',
    }),
  },
  { title: 'FlowNodeType' },
)
export type FlowNodeTypeShape = Static<typeof FlowNodeTypeShape>

export const FlowNodeTypesShape = Type.Object({ data: Type.Array(FlowNodeTypeShape) })
