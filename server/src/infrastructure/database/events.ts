/** Events of a workspace, recorded in the transaction that causes them: both are committed, or neither. */
import type { EntityManager } from 'typeorm'

/** One event as subscribers receive it. */
export interface WorkspaceEvent {
  /** `evt_…` */
  id: string
  /** For example `call.ended`. */
  event: string
  workspace_id: string
  created_at: Date
  /** Serialized as JSON. */
  data: object
  /** Sent to live subscribers only, not to webhooks. */
  live_only?: boolean
}

/** Where features publish events; implemented by webhooks. */
export interface EventSink {
  /** @param events of one workspace, in order */
  record(tx: EntityManager, events: readonly WorkspaceEvent[]): Promise<void>
}
