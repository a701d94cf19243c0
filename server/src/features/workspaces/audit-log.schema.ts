import Type, { type Static } from 'typebox'
import { pageQuery } from '../../infrastructure/http/lists.js'
import { Id, Timestamp, nullable, patterned } from '../../infrastructure/http/shapes.js'

export const AuditQuery = Type.Object({
  ...pageQuery(20).properties,
  sort_order: Type.Enum(['asc', 'desc'], { default: 'desc', description: 'By time' }),
  actor: Type.Optional(
    Id({
      description: 'operator, api_key, agent, client or system, or the id of a key, an agent or a client',
    }),
  ),
  action: Type.Optional(
    patterned('^[a-z_]{1,32}(\\.[a-z_]{1,31})?$', 'a noun, or a noun and a verb with a dot between them', {
      description: 'For example agent.update, or agent for all that was done to agents',
    }),
  ),
  target_id: Type.Optional(Id()),
  ip: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 64,
      description: 'The IPv4 or IPv6 address that a request came from, in any spelling',
    }),
  ),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Not before this time' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Before this time' })),
})
export type AuditQuery = Static<typeof AuditQuery>

export const OperatorAuditQuery = Type.Object({
  ...AuditQuery.properties,
  workspace_id: Type.Optional(Id()),
})

const Change = Type.Object({
  from: Type.Optional(Type.Unknown({ description: 'Absent when the target was created' })),
  to: Type.Optional(Type.Unknown({ description: 'Absent when the target was deleted' })),
})

export const AuditEntryShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: nullable(Type.String()),
    actor: Type.Object({
      kind: Type.Enum(['operator', 'api_key', 'agent', 'client', 'system']),
      id: nullable(
        Type.String({ description: 'The sid of the key, the id of the agent, or the sub of the client' }),
      ),
      name: nullable(
        Type.String({
          description: 'The title of the key or the display name of the agent, if they are there',
        }),
      ),
    }),
    action: Type.String(),
    target: Type.Object({ type: Type.String(), id: Type.String(), name: nullable(Type.String()) }),
    changes: Type.Record(Type.String(), Change, { description: 'By field; secrets are hidden' }),
    ip: nullable(Type.String()),
    request_id: nullable(Type.String({ description: 'X-Request-Id of the answer' })),
    created_at: Timestamp,
  },
  { title: 'AuditEntry' },
)
