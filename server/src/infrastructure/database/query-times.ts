/** Measures how long every statement takes, without the wait for a connection. */
import type { AfterQueryEvent, BeforeQueryEvent, EntitySubscriberInterface, QueryRunner } from 'typeorm'
import { topics } from '../observability/telemetry.js'
import { type SpanContext, currentSpan } from '../observability/tracing-contexts.js'

export class QueryTimes implements EntitySubscriberInterface {
  /** For whose work a runner was taken: an answer comes in the name of its connection. */
  private readonly spots = new WeakMap<QueryRunner, SpanContext>()

  beforeQuery({ queryRunner }: BeforeQueryEvent): void {
    const spot = currentSpan()
    if (spot) this.spots.set(queryRunner, spot)
  }

  afterQuery({ query, success, executionTime, error, queryRunner }: AfterQueryEvent): void {
    const statement = statementOf(query)
    if (!success) {
      topics.queryFailed.tell({ statement, code: (error as { code?: string } | undefined)?.code ?? '' })
      return
    }
    const spot = this.spots.get(queryRunner)
    const table = spot ? tableOf(query) : null
    topics.query.tell({ statement, seconds: (executionTime ?? 0) / 1000, spot, table })
  }
}

/** The first word of a statement, in lower case. */
function statementOf(query: string): string {
  return (/^\s*([A-Za-z]+)/.exec(query)?.[1] ?? '').toLowerCase()
}

function tableOf(query: string): string | null {
  return /\b(?:from|into|update|join)\s+`?(\w+)/i.exec(query.slice(0, 10_000))?.[1] ?? null
}
