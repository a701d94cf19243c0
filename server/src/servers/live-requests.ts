/** Requests about calls that live: whichever server gets them, that which drives the calls handles them. */
import { type Origin, actingAs } from '../database/audit.js'
import type { Endpoint, EndpointContext, Tenant } from '../http/endpoint.js'
import { ApiError } from '../http/errors.js'
import type { CallDriver } from './call-driver.js'
import type { Servers } from './servers.js'

/** A request that was admitted and checked where it came in. */
interface Forwarded {
  readonly endpoint: string
  readonly context: EndpointContext
  readonly origin: Origin
}

export class LiveRequests {
  private readonly endpoints = new Map<string, Endpoint>()

  constructor(
    private readonly servers: Servers,
    private readonly driver: CallDriver,
  ) {
    servers.onAsked('request', async ({ endpoint, context, origin }: Forwarded) => {
      const known = this.endpoints.get(endpoint)
      if (!known || !driver.isHere) throw nobodyDrives()
      return actingAs(origin, async () => known.handle(context))
    })
  }

  /** The endpoints that other servers may hand over. */
  serve(endpoints: readonly Endpoint[]): void {
    for (const one of endpoints) if (one.drivesCalls) this.endpoints.set(nameOf(one), one)
  }

  /** Handles a request here, or where the calls are driven. @throws 503 when no server drives them now */
  async handle(endpoint: Endpoint, context: EndpointContext, origin: Origin): Promise<unknown> {
    if (!endpoint.drivesCalls || this.driver.isHere) {
      return actingAs(origin, async () => endpoint.handle(context))
    }
    const { elsewhere } = this.driver
    if (elsewhere === null) throw nobodyDrives()
    const { workspace } = context
    const request: Forwarded = {
      ...{ endpoint: nameOf(endpoint), origin },
      context: { ...context, workspace: workspace && tenantOf(workspace) },
    }
    return this.servers.ask(elsewhere, 'request', request)
  }
}

function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`
}

function tenantOf({ id, title, country_code }: Tenant): Tenant {
  return { id, title, country_code }
}

function nobodyDrives(): ApiError {
  return new ApiError(503, 'No server drives calls now: try again in a moment')
}
