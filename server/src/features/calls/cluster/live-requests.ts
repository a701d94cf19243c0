/** Requests about live calls: any server may get one; the server that drives the call handles it. */
import { type Origin, actingAs } from '../../../infrastructure/database/audit.js'
import type { Endpoint, EndpointContext, LiveSubject, Tenant } from '../../../infrastructure/http/endpoint.js'
import { ApiError } from '../../../infrastructure/http/errors.js'
import {
  currentSpan,
  traceparentOf,
  tracingContexts,
} from '../../../infrastructure/observability/tracing-contexts.js'
import { type CallOwnership, here } from './call-ownership.js'
import type { Servers } from '../../cluster/servers.js'

/** A request that was admitted and checked where it came in. */
interface Forwarded {
  readonly endpoint: string
  readonly context: EndpointContext
  readonly origin: Origin
  /** Context of its trace: the header `traceparent`; empty without one. */
  readonly traceparent: string
}

/** The cell of a call that lives, or of a recording's; null for what there is not, or is over. */
export type CellOf = (subject: LiveSubject, id: string) => Promise<string | null>

export class LiveRequests {
  private readonly endpoints = new Map<string, Endpoint>()

  constructor(
    private readonly servers: Servers,
    private readonly driver: CallOwnership,
    private readonly cellOf: CellOf,
  ) {
    servers.onAsked('request', async ({ endpoint, context, origin, traceparent }: Forwarded) => {
      const known = this.endpoints.get(endpoint)
      if (!known || !driver.isHere) throw nobodyDrives()
      return tracingContexts.handedOver.run({ traceparent }, async () =>
        actingAs(origin, async () => known.handle(context)),
      )
    })
  }

  /** The endpoints that other servers may hand over. */
  serve(endpoints: readonly Endpoint[]): void {
    for (const one of endpoints) if (one.drivesCalls) this.endpoints.set(nameOf(one), one)
  }

  /** Handles a request here, or where the call is driven. @throws 503 when no server drives it now */
  async handle(endpoint: Endpoint, context: EndpointContext, origin: Origin): Promise<unknown> {
    const server = await this.serverOf(endpoint, context)
    if (server === here) return actingAs(origin, async () => endpoint.handle(context))
    if (server === null) throw nobodyDrives()
    const { workspace } = context
    const span = currentSpan()
    const request: Forwarded = {
      ...{ endpoint: nameOf(endpoint), origin, traceparent: span ? traceparentOf(span) : '' },
      context: { ...context, workspace: workspace && tenantOf(workspace) },
    }
    return this.servers.ask(server, 'request', request)
  }

  private async serverOf({ drivesCalls }: Endpoint, { params }: EndpointContext): Promise<string | null> {
    if (!drivesCalls || this.driver.isAlone) return here
    const { call_id, id } = params as { call_id?: string; id?: string }
    return this.driver.serverOf(await this.cellOf(drivesCalls, call_id ?? id ?? ''))
  }
}

function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`
}

function tenantOf({ id, title, country_code }: Tenant): Tenant {
  return { id, title, country_code }
}

function nobodyDrives(): ApiError {
  return new ApiError(503, 'No server drives the call now: try again in a moment')
}
