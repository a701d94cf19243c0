import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { EventHub } from './event-hub.js'

/** A stream that was cut may resume within this time, and gets the events that it has missed. */
const resumableMs = 120_000

/** Agents with a live stream, and agents whose stream closed so recently that it may resume. */
export class RecentAgents {
  /** Agents whose last stream has closed, and when; the earliest first. */
  private readonly left = new Map<string, { workspaceId: string; agentId: string; at: number }>()

  constructor(private readonly hub: EventHub) {
    hub.onPresenceEverywhere(({ workspace_id: workspaceId, kind, id: agentId, live }) => {
      if (kind !== 'agent') return
      const key = `${workspaceId} ${agentId}`
      this.left.delete(key)
      if (!live) this.left.set(key, { workspaceId, agentId, at: Date.now() })
      this.forget()
    })
  }

  /** Ids of agents. */
  of(workspace: Owner): readonly string[] {
    this.forget()
    const gone = [...this.left.values()].filter(({ workspaceId }) => workspaceId === workspace.id)
    return [...this.hub.sessions(workspace).agents, ...gone.map(({ agentId }) => agentId)]
  }

  private forget(now = Date.now()): void {
    for (const [key, { at }] of this.left) {
      if (now - at <= resumableMs) return
      this.left.delete(key)
    }
  }
}
