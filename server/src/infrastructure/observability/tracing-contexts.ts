/**
 * Traced work: `tracing/` learns of it as it begins, and the context of the work under way is passed on. Without tracing there
 * is no context, and this costs next to nothing.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Channel, channel } from 'node:diagnostics_channel'

/** A place in a trace, by the ids of W3C Trace Context. */
export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** The `traceparent` that customers’ servers get; null for none. */
  readonly shown: string | null
  /** Whether that work is done: what it started and what still runs is no part of it. */
  isOver: boolean
}

const contexts = new AsyncLocalStorage<SpanContext | undefined>()

/** One kind of work. */
export class TracingContext<T extends object> {
  private readonly channel: Channel

  constructor(name: string) {
    this.channel = channel(`jackfield.work.${name}`)
  }

  run<R>(payload: T, work: () => R): R {
    return this.channel.hasSubscribers ? this.channel.runStores<unknown, [], R>(payload, work) : work()
  }

  /** @param contextOf must not throw; undefined for work that is not traced @returns ends it */
  trace(contextOf: (payload: T) => SpanContext | undefined): () => void {
    this.channel.bindStore(contexts, (payload) => contextOf(payload as T))
    return () => {
      this.channel.unbindStore(contexts)
    }
  }
}

/** All kinds of work. */
export const tracingContexts = {
  /** A request of the API, with the header `traceparent` of who asks. */
  request: new TracingContext<{ traceparent: string }>('request'),
  /** A part of a request that another server has taken in. */
  handedOver: new TracingContext<{ traceparent: string }>('handed_over'),
  /** Something that is done for a call. */
  call: new TracingContext<{ callId: string }>('call'),
  /** An attempt to deliver a webhook; `body` is what is posted. */
  webhook: new TracingContext<{ deliveryId: string; workspaceId: string; event: string; body: string }>(
    'webhook',
  ),
  /** A customer’s server is asked in the middle of a call. */
  callback: new TracingContext<{ callId: string; workspaceId: string; event: string }>('callback'),
}

/** The context of the work under way, unless that is done. */
export function currentSpan(): SpanContext | undefined {
  const span = contexts.getStore()
  return span?.isOver ? undefined : span
}

/** Begins work outside of any trace: what serves many is no part of the work that started it. */
export function detached<R>(work: () => R): R {
  return contexts.run(undefined, work)
}

/** The header `traceparent` of a span (W3C Trace Context, 3.2). */
export function traceparentOf({ traceId, spanId }: Pick<SpanContext, 'traceId' | 'spanId'>): string {
  return `00-${traceId}-${spanId}-01`
}

/** What a request to a customer’s server carries of the trace. */
export function shownTrace(): Record<string, string> {
  const shown = currentSpan()?.shown
  return shown ? { traceparent: shown } : {}
}
