/** Database statements of traced work. The spans have neither their text nor their values. */
import { SpanKind } from '@opentelemetry/api'
import { topics } from './telemetry.js'
import type { Spans } from './spans.js'

/** @returns ends it */
export function traceQueries(spans: Spans): (() => void)[] {
  return [
    topics.query.subscribe(({ statement, table, seconds, context }) => {
      if (!context || context.isOver) return
      const operation = statement.toUpperCase()
      const to = Date.now()
      spans.under(context, {
        ...{ name: table ? `${operation} ${table}` : operation, from: to - seconds * 1000, to },
        kind: SpanKind.CLIENT,
        attributes: {
          ...{ 'db.system.name': 'mariadb', 'db.operation.name': operation },
          ...(table && { 'db.collection.name': table }),
        },
      })
    }),
  ]
}
