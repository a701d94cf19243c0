/** Tells how long every statement takes, without the wait for a connection. */
import type { AfterQueryEvent, EntitySubscriberInterface } from 'typeorm'
import { topics } from '../telemetry.js'

export class QueryTimes implements EntitySubscriberInterface {
  afterQuery({ query, success, executionTime, error }: AfterQueryEvent): void {
    const statement = statementOf(query)
    if (success) topics.query.tell({ statement, seconds: (executionTime ?? 0) / 1000 })
    else topics.queryFailed.tell({ statement, code: (error as { code?: string } | undefined)?.code ?? '' })
  }
}

/** The first word of a statement, in lower case. */
function statementOf(query: string): string {
  return (/^\s*([A-Za-z]+)/.exec(query)?.[1] ?? '').toLowerCase()
}
