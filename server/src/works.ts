/**
 * Work in which other things happen, told as it begins to whoever traces it (`tracing/`), and where in a trace the work
 * under way stands. While nobody traces, there is no spot and telling costs next to nothing.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Channel, channel } from 'node:diagnostics_channel'

/** A place in a trace, by the ids of W3C Trace Context. */
export interface Spot {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** What customers’ servers are told of it; null where they are told nothing. */
  readonly shown: string | null
  /** Whether that work is done: what was set off by it and goes on is no part of it. */
  isOver: boolean
}

const spots = new AsyncLocalStorage<Spot | undefined>()

/** One kind of work. */
export class Work<T extends object> {
  private readonly channel: Channel

  constructor(name: string) {
    this.channel = channel(`jackfield.work.${name}`)
  }

  run<R>(news: T, work: () => R): R {
    return this.channel.hasSubscribers ? this.channel.runStores<unknown, [], R>(news, work) : work()
  }

  /** @param spotOf must not throw; undefined for work that is not traced @returns ends it */
  trace(spotOf: (news: T) => Spot | undefined): () => void {
    this.channel.bindStore(spots, (news) => spotOf(news as T))
    return () => {
      this.channel.unbindStore(spots)
    }
  }
}

/** All kinds of work. */
export const works = {
  /** A request of the API, with the header `traceparent` of who asks. */
  request: new Work<{ traceparent: string }>('request'),
  /** A part of a request that another server has taken in. */
  handedOver: new Work<{ traceparent: string }>('handed_over'),
  /** Something that is done for a call. */
  call: new Work<{ callId: string }>('call'),
  /** An attempt to deliver a webhook; `body` is what is posted. */
  webhook: new Work<{ deliveryId: string; workspaceId: string; event: string; body: string }>('webhook'),
  /** A customer’s server is asked in the middle of a call. */
  callback: new Work<{ callId: string; workspaceId: string; event: string }>('callback'),
}

/** Where the work under way stands, unless it is done. */
export function currentSpot(): Spot | undefined {
  const spot = spots.getStore()
  return spot?.isOver ? undefined : spot
}

/** Begins work that is nobody's part: what serves many is no part of that of whoever set it off. */
export function outside<R>(work: () => R): R {
  return spots.run(undefined, work)
}

/** The header `traceparent` of a spot (W3C Trace Context, 3.2). */
export function traceparentOf({ traceId, spanId }: Pick<Spot, 'traceId' | 'spanId'>): string {
  return `00-${traceId}-${spanId}-01`
}

/** What a request to a customer’s server carries of the trace. */
export function shownTrace(): Record<string, string> {
  const shown = currentSpot()?.shown
  return shown ? { traceparent: shown } : {}
}
