import Type from 'typebox'
import { endpoint, operator } from '../http/endpoint.js'
import { listAnswer, listOf, listQuery } from '../http/lists.js'
import { Timestamp } from '../http/shapes.js'
import { type Alert, alertKinds } from './alert.entity.js'
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
    message: Type.String(),
    created_at: Timestamp,
  },
  { title: 'Alert' },
)

export function alertEndpoints({ alerts }: { alerts: AlertService }) {
  return [
    endpoint({
      method: 'GET',
      path: '/operator/alerts',
      summary: 'List alerts of spending and of refused calls',
      description: 'Each kind once for a workspace in its hour or day; kept for 90 days.',
      tag: 'Operator',
      auth: operator,
      query: listQuery({ limit: 20, sort: ['created_at'], search: 'Looks at workspace_id and kind' }),
      response: { 200: listOf(AlertShape) },
      handler: async ({ query }) => listAnswer(query, await alerts.list(query), present),
    }),
  ]
}

function present(alert: Alert) {
  return {
    ...alert,
    period_began: alert.period_began.toISOString(),
    created_at: alert.created_at.toISOString(),
  }
}
