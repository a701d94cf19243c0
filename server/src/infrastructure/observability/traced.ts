/** All that is traced, from its start to its end. */
import type { Instance, SpanCounts } from './span-counts.js'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.js'
import { currentSpan } from './tracing-contexts.js'
import { traceCalls } from './call-spans.js'
import { Exporter } from './exporter.js'
import { ChosenIds, idsOf } from './ids.js'
import { traceMessages } from './message-spans.js'
import { traceQueries } from './query-spans.js'
import { Spans } from './spans.js'
import { traceWork } from './work-spans.js'

interface Options {
  readonly settings: Config['traces']
  readonly instance: Instance
  readonly counts: SpanCounts
  readonly log: Logger
}

export interface Traced {
  fieldsOf(line: object): object
  /** Ends it, and sends what waits; never throws. */
  stop(): Promise<void>
}

export function startTraced({ settings, instance, counts, log }: Options): Traced {
  const { otlp_endpoint, sample_ratio } = settings
  const url = `${otlp_endpoint.replace(/\/+$/, '')}/v1/traces`
  const exporter = new Exporter({ url, headers: Object.fromEntries(settings.headers) }, counts, log)
  const idGenerator = new ChosenIds()
  const provider = new TracerProvider({
    ...{ idGenerator, spanProcessors: [exporter] },
    sampler: new TraceIdRatioBasedSampler(sample_ratio),
    resource: resourceFromAttributes({
      ...{ 'service.name': 'jackfield', 'service.version': instance.version },
      'service.instance.id': instance.serverId,
    }),
    // No attribute of ours is longer: routes, ids and words.
    spanLimits: { attributeValueLengthLimit: 256 },
  })
  const spans = new Spans(provider.getTracer('jackfield', instance.version), idGenerator, sample_ratio)
  const isShown = settings.shown_to_customers === 'true'
  const goesOn = settings.callers_continued === 'true'
  const ends = [
    ...traceWork(spans, { isShown, goesOn }),
    ...traceCalls(spans),
    ...traceMessages(spans),
    ...traceQueries(spans),
  ]
  return {
    fieldsOf(line) {
      const { call } = line as { call?: unknown }
      const span = currentSpan()
      const ofCall = typeof call === 'string' ? idsOf(call) : null
      // A line that names its call belongs to the call's trace, even if it was written in other work.
      const ids = span && (!ofCall || span.traceId === ofCall.traceId) ? span : ofCall
      return ids && spans.isSampled(ids.traceId) ? { trace_id: ids.traceId, span_id: ids.spanId } : {}
    },
    async stop() {
      for (const end of ends) end()
      await provider
        .shutdown()
        .catch((error: unknown) =>
          log.warn({ event: 'trace.last_lost', err: error }, 'the last traces are lost'),
        )
    },
  }
}
