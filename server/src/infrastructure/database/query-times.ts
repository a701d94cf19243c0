/** Measures how long every statement takes, without the wait for a connection. */
import type { AfterQueryEvent, BeforeQueryEvent, EntitySubscriberInterface, QueryRunner } from 'typeorm'
import { topics } from '../observability/telemetry.js'
import { firstTable, firstWord } from './statement-names.js'
import { type SpanContext, currentSpan } from '../observability/tracing-contexts.js'

export class QueryTimes implements EntitySubscriberInterface {
  /** For whose work a runner was taken: an answer comes in the name of its connection. */
  private readonly contexts = new WeakMap<QueryRunner, SpanContext>()

  beforeQuery({ queryRunner }: BeforeQueryEvent): void {
    const context = currentSpan()
    if (context) this.contexts.set(queryRunner, context)
  }

  afterQuery({ query, success, executionTime, error, queryRunner }: AfterQueryEvent): void {
    const statement = firstWord(query)
    if (!success) {
      topics.queryFailed.publish({ statement, code: (error as { code?: string } | undefined)?.code ?? '' })
      return
    }
    const context = this.contexts.get(queryRunner)
    const table = context ? firstTable(query) : null
    topics.query.publish({ statement, seconds: (executionTime ?? 0) / 1000, context, table })
  }
}
