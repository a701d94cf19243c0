/** Agents with a live stream, on any server: the heartbeats of streams notice a lost network. */
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { EventHub } from '../realtime/event-hub.js'
import type { PresenceSource, AgentPresence } from '../agents/agent-state.js'

export class LiveSessions implements PresenceSource {
  constructor(private readonly hub: Pick<EventHub, 'sessions'>) {}

  async onlineIn(workspace: Owner): Promise<Map<string, AgentPresence>> {
    const { agents } = this.hub.sessions(workspace)
    return new Map([...agents].map((id) => [id, { state: 'available' }]))
  }
}
