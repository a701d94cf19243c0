/** Spans of work that has a beginning and an end here: requests, and those that we make of customers' servers. */
import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { topics } from './telemetry.js'
import { type SpanContext, currentSpan, traceparentOf, tracingContexts } from './tracing-contexts.js'
import { type SpanIds, idsOf } from './ids.js'
import type { Spans } from './spans.js'

/** A context whose span ends when its work is reported as done. */
interface OpenSpan extends SpanContext {
  readonly span: Span
}

interface Options {
  /** Whether customers' servers get it in `traceparent`. */
  readonly isShown: boolean
  /** Whether a request's span continues the trace that the client names. */
  readonly goesOn: boolean
}

/** @returns ends it */
export function traceWork(spans: Spans, { isShown, goesOn }: Options): (() => void)[] {
  const open = (
    name: string,
    kind: SpanKind,
    parent: SpanIds | null,
    attributes = {},
    links: readonly SpanIds[] = [],
  ) => {
    if (parent && !spans.isSampled(parent.traceId)) return undefined
    const span = spans.begin({ name, kind, parent, attributes, links })
    if (!span.isRecording()) return undefined
    const { traceId, spanId } = span.spanContext()
    const shown = isShown && kind === SpanKind.CLIENT ? traceparentOf({ traceId, spanId }) : null
    return { traceId, spanId, shown, isOver: false, span } satisfies OpenSpan
  }
  return [
    tracingContexts.request.trace(({ traceparent }) => {
      const named = parentIn(traceparent)
      // A trace is sampled by its id: clients must not choose that, nor add spans to others' traces.
      const [parent, links] = goesOn ? [named, []] : [null, named ? [named] : []]
      return open('request', SpanKind.SERVER, parent, {}, links)
    }),
    topics.request.subscribe(({ method, route, status, requestId, workspaceId }) => {
      end(`${method} ${route}`, status >= 500 ? String(status) : null, {
        ...{ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
        'jackfield.request.id': requestId,
        ...(workspaceId !== null && { 'jackfield.workspace.id': workspaceId }),
      })
    }),
    tracingContexts.handedOver.trace(({ traceparent }) => {
      const at = parentIn(traceparent)
      return at && spans.isSampled(at.traceId) ? { ...at, shown: null, isOver: false } : undefined
    }),
    tracingContexts.call.trace(({ callId }) => {
      const ids = idsOf(callId)
      return spans.isSampled(ids.traceId) ? { ...ids, shown: null, isOver: false } : undefined
    }),
    tracingContexts.webhook.trace(({ deliveryId, workspaceId, event, body }) =>
      open('webhook', SpanKind.CLIENT, idsOf(subjectOf(body) ?? deliveryId), {
        ...{ 'jackfield.workspace.id': workspaceId, 'jackfield.event': event },
        'jackfield.delivery.id': deliveryId,
      }),
    ),
    topics.webhookAttempt.subscribe(({ delivered, responseStatus }) => {
      end('webhook', delivered ? null : 'not delivered', statusOf(responseStatus))
    }),
    tracingContexts.callback.trace(({ callId, workspaceId, event }) =>
      open('callback', SpanKind.CLIENT, idsOf(callId), {
        ...{ 'jackfield.workspace.id': workspaceId, 'jackfield.event': event },
        'jackfield.call.id': callId,
      }),
    ),
    topics.callback.subscribe(({ responseStatus, error }) =>
      end('callback', error, statusOf(responseStatus)),
    ),
  ]
}

/** Ends the span of the work under way. */
function end(name: string, failure: string | null, attributes: Record<string, string | number>): void {
  const context = currentSpan() as OpenSpan | undefined
  if (!context?.span) return
  context.isOver = true
  context.span.updateName(name).setAttributes(attributes)
  if (failure !== null) context.span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
  context.span.end()
}

/** What another one sent us; null where it is no such header. */
function parentIn(traceparent: string): SpanIds | null {
  return traceparent ? parseTraceParent(traceparent) : null
}

function statusOf(responseStatus: number | null): Record<string, number> {
  return responseStatus === null ? {} : { 'http.response.status_code': responseStatus }
}

/** The call or the message that an event is about, by its body. */
function subjectOf(body: string): string | undefined {
  return /"(?:call_id|message_id)":"((?:call|msg)_[0-9A-Za-z]+)"/.exec(body)?.[1]
}
