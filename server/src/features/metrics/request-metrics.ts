/** Requests of the API, and statements of the database. */
import type { Registry } from 'prom-client'
import { topics } from '../../infrastructure/observability/telemetry.js'
import { BoundedLabel } from './bounded-label.js'
import { counter, histogram, quick } from './instruments.js'

/** @returns ends the measuring */
export function requestMetrics(registry: Registry): (() => void)[] {
  const requests = histogram(
    registry,
    {
      name: 'http_request_duration_seconds',
      help: 'Time until a request is answered, or until a streamed answer begins',
      labels: ['method', 'route', 'status'],
    },
    quick,
  )
  const queries = histogram(
    registry,
    {
      name: 'database_query_duration_seconds',
      help: 'Time that statements take, without the wait for a connection, in whole milliseconds',
      labels: ['statement'],
    },
    quick,
  )
  const failures = counter(registry, {
    name: 'database_query_errors_total',
    help: 'Statements that failed, by the database’s name of the error',
    labels: ['code'],
  })
  const methods = new BoundedLabel(/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/, 7)
  const statements = new BoundedLabel(/^(select|insert|update|delete|commit|start|rollback|set|show)$/, 9)
  const codes = new BoundedLabel(/^[A-Z_0-9]{1,60}$/, 50)
  return [
    topics.request.subscribe(({ method, route, status, seconds }) => {
      requests.observe({ method: methods.of(method), route, status }, seconds)
    }),
    topics.query.subscribe(({ statement, seconds }) => {
      queries.observe({ statement: statements.of(statement) }, seconds)
    }),
    topics.queryFailed.subscribe(({ code }) => failures.inc({ code: codes.of(code) })),
  ]
}
