import type { Owner } from '../database/workspace-table.js'
import type { EventHub } from './event-hub.js'

/** For so long a stream that was cut may come back and be sent what it has missed. */
const resumableMs = 120_000

/** The agents who listen, and those who have until now and may come back for what they miss. */
export class RecentAgents {
  /** Whose last stream has closed, and when, the earliest first. */
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

  /** By id. */
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
