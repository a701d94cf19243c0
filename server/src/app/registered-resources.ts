/**
 * Resources that stand alone: no other feature asks for their service. A line here gives such a resource its table, its
 * endpoints, its limit and its rule of retention. The name is that of its table, and of its limit in the settings.
 */
import type { Database } from '../infrastructure/database/database.js'
import type { WorkspaceRow } from '../infrastructure/database/workspace-table.js'
import type { Endpoint } from '../infrastructure/http/endpoint.js'
import type { InUse } from '../infrastructure/resources/in-use.js'
import { cannedReplyEndpoints, cannedReplyResource } from '../features/conversations/canned-reply.resource.js'
import type { ResourceParts } from '../infrastructure/resources/resource-rows.js'

interface Registered {
  readonly resource: {
    readonly table: new () => WorkspaceRow
    readonly noun: string
    readonly plural?: string
  }
  readonly endpoints: (parts: ResourceParts) => readonly Endpoint[]
}

export const registered = {
  canned_replies: { resource: cannedReplyResource, endpoints: cannedReplyEndpoints },
} as const satisfies Record<string, Registered>

type Limits = Readonly<Record<keyof typeof registered, number>>

const all: readonly [string, Registered][] = Object.entries(registered)

export const registeredTables = all.map(([, { resource }]) => resource.table)

/** @param limits how many of each a workspace may have */
export function registeredEndpoints(database: Database, inUse: InUse, limits: Limits): readonly Endpoint[] {
  const max = new Map<string, number>(Object.entries(limits))
  return all.flatMap(([name, { endpoints }]) => endpoints({ database, inUse, max: max.get(name) ?? 0 }))
}
