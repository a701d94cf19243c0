/** Makes spans of what has been; none of a trace that is not among the sampled ones. */
import {
  type Attributes,
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace'
import { type ChosenIds, type SpanIds, idsOf } from './ids.js'

/** A span from its beginning to its end. */
export interface Past {
  readonly name: string
  /** Milliseconds since 1970, or a date. */
  readonly from: number | Date
  readonly to: number | Date
  readonly kind?: SpanKind
  readonly attributes?: Attributes
  /** Why it failed, as a word: neither a number nor a text of a customer's. */
  readonly failure?: string | null
  readonly links?: readonly SpanIds[]
}

/** A span whose end is not known yet. */
interface Begun {
  readonly name: string
  readonly kind: SpanKind
  /** Null for a root span. */
  readonly parent: SpanIds | null
  readonly attributes: Attributes
  readonly links: readonly SpanIds[]
}

export class Spans {
  private readonly sampler: TraceIdRatioBasedSampler

  constructor(
    private readonly tracer: Tracer,
    private readonly ids: ChosenIds,
    ratio: number,
  ) {
    this.sampler = new TraceIdRatioBasedSampler(ratio)
  }

  /** The same for all spans of a trace, on every server: it follows from the id. */
  isSampled(traceId: string): boolean {
    const { decision } = this.sampler.shouldSample(ROOT_CONTEXT, traceId)
    return decision === SamplingDecision.RECORD_AND_SAMPLED
  }

  /** Begins a span; the trace must be a sampled one. */
  begin({ name, kind, parent, attributes, links }: Begun): Span {
    return this.tracer.startSpan(name, { kind, attributes, links: links.map(linkTo) }, contextOf(parent))
  }

  /** The root span of a call, message or delivery. */
  whole(id: string, past: Past): void {
    const ids = idsOf(id)
    if (this.isSampled(ids.traceId)) this.ids.with(ids, () => this.start(past, ROOT_CONTEXT)).end(past.to)
  }

  /** A part of a call, message or delivery. */
  partOf(id: string, past: Past): void {
    this.under(idsOf(id), past)
  }

  /** A span under another one. */
  under(parent: SpanIds, past: Past): void {
    if (this.isSampled(parent.traceId)) this.start(past, contextOf(parent)).end(past.to)
  }

  private start({ name, from, kind, attributes, failure, links }: Past, context: Context): Span {
    const span = this.tracer.startSpan(
      name,
      {
        startTime: from,
        kind: kind ?? SpanKind.INTERNAL,
        ...(attributes && { attributes }),
        ...(links && { links: links.map(linkTo) }),
      },
      context,
    )
    if (failure) span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
    return span
  }
}

function linkTo(ids: SpanIds): Link {
  return { context: spanContextOf(ids) }
}

function spanContextOf({ traceId, spanId }: SpanIds): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED }
}

function contextOf(parent: SpanIds | null): Context {
  return parent ? trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent)) : ROOT_CONTEXT
}
