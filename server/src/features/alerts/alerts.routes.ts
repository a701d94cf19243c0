import Type from 'typebox'
import { apiKey, endpoint, operator } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, listQuery } from '../../infrastructure/http/lists.js'
import { Id, Timestamp, nullable } from '../../infrastructure/http/shapes.js'
import { type Alert, type AlertDetails, alertKinds } from './alert.entity.js'
import type { AlertService } from './alert.service.js'

const AlertShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    kind: Type.Enum([...alertKinds]),
    period_began: Type.String({
      format: 'date-time',
      description: 'The hour or day in UTC that it is about',
    }),
    country_code: nullable(
      Type.String({
        description:
          'ISO 3166-1 of the country that is called; `ZZ`: numbers of no country, such as of satellites',
      }),
    ),
    message: Type.String(),
    details: nullable(
      Type.Unsafe<AlertDetails>({
        type: 'object',
        additionalProperties: { type: ['number', 'string'] },
        description:
          'The figures of its message: `calls`, as many as are `usual`, their `seconds`; USD `spent` of `max`; of an emergency call `number`, `phone`, `phone_title`, `extension`, `caller_number` and `call_id`; null of older ones',
      }),
    ),
    created_at: Timestamp,
  },
  { title: 'Alert' },
)

const kind = Type.Optional(Type.Enum([...alertKinds]))

const OperatorAlertQuery = Type.Object({
  ...listQuery({ limit: 20, sort: ['created_at'], search: 'Looks at workspace_id and kind' }).properties,
  workspace_id: Type.Optional(Id()),
  kind,
})

const AlertQuery = Type.Object({
  ...listQuery({ limit: 20, sort: ['created_at'], search: 'Looks at kind' }).properties,
  kind,
})

const listed = {
  description: 'Each kind once for a workspace, and country, in its hour or day; kept for 90 days.',
  response: { 200: listOf(AlertShape) },
}

export function alertEndpoints({ alerts }: { alerts: AlertService }) {
  return [
    endpoint({
      method: 'GET',
      path: '/alerts',
      ...listed,
      summary: 'List alerts of spending, of refused and emergency calls, and of what looks like toll fraud',
      tag: 'Workspace',
      auth: apiKey('any'),
      query: AlertQuery,
      handler: async ({ workspace, query }) =>
        listAnswer(query, await alerts.list({ ...query, workspace_id: workspace.id }), present),
    }),
    endpoint({
      method: 'GET',
      path: '/operator/alerts',
      ...listed,
      summary: 'List alerts of spending, of refused and emergency calls, and of what looks like toll fraud',
      tag: 'Operator',
      auth: operator,
      query: OperatorAlertQuery,
      handler: async ({ query }) => listAnswer(query, await alerts.list(query), present),
    }),
  ]
}

function present(alert: Alert) {
  return {
    ...alert,
    country_code: alert.country_code || null,
    period_began: alert.period_began.toISOString(),
    created_at: alert.created_at.toISOString(),
  }
}
