/** What happens in a workspace, told in the transaction that makes it so: it is kept and told, or neither. */
import type { EntityManager } from 'typeorm'

/** One event, as its receivers are told of it. */
export interface WorkspaceEvent {
  /** `evt_…` */
  id: string
  /** For example `call.ended`. */
  event: string
  workspace_id: string
  created_at: Date
  /** Serialized as JSON. */
  data: object
  /** Told to those who listen in this moment, and not to webhooks. */
  live_only?: boolean
}

/** Where features tell of events; implemented by webhooks. */
export interface EventSink {
  /** @param events of one workspace, in their order */
  record(tx: EntityManager, events: readonly WorkspaceEvent[]): Promise<void>
}
