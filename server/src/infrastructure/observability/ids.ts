/** Ids of traces and spans. What outlives a process has ids that follow from its own, so that any process can end it. */
import { createHash } from 'node:crypto'
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace'

export interface SpanIds {
  readonly traceId: string
  readonly spanId: string
}

/** The trace of a call, a message or a delivery, and its root span. */
export function idsOf(id: string): SpanIds {
  const hash = createHash('sha256').update(id).digest('hex')
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) }
}

/** Random ids, but for a span that is given its own. */
export class ChosenIds implements IdGenerator {
  private readonly random = new RandomIdGenerator()
  private chosen: SpanIds | undefined

  readonly generateTraceId = () => this.chosen?.traceId ?? this.random.generateTraceId()

  readonly generateSpanId = () => this.chosen?.spanId ?? this.random.generateSpanId()

  /** @param start starts one span, at once */
  with<T>(ids: SpanIds, start: () => T): T {
    this.chosen = ids
    try {
      return start()
    } finally {
      this.chosen = undefined
    }
  }
}
