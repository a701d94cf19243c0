/** Shares published states among servers, so that each state is published once. */
import type { Servers } from '../cluster/servers.js'
import type { EventHub } from '../realtime/event-hub.js'
import type { AgentState } from '../agents/agent-state.js'
import type { SeenStates } from './seen-states.js'

/** A state in a message between servers: dates are text. */
interface PublishedState {
  readonly agent_id: string
  readonly workspace_id: string
  readonly state: AgentState
  /** A server of an older version does not say. */
  readonly is_ringing?: boolean
  readonly call_id: string | null
  readonly since: string | null
  readonly reason: string | null
}

/** States in one message. */
const atOnce = 500

export function shareStates(seen: SeenStates, servers: Servers, hub: EventHub): void {
  const note = ({
    agent_id,
    workspace_id,
    state,
    is_ringing = false,
    call_id,
    since,
    reason,
  }: PublishedState) => {
    seen.note(agent_id, {
      workspace_id,
      state,
      is_ringing,
      call_id,
      reason,
      since: since ? new Date(since) : null,
      published: true,
    })
  }
  hub.onForeign('workspace.agent.state', ({ workspace_id, data }) => {
    note({ ...(data as Omit<PublishedState, 'workspace_id'>), workspace_id })
  })
  servers.on('hello', (serverId) => {
    const states = [...seen.published()].map(
      ([agent_id, { workspace_id, state, is_ringing, call_id, since, reason }]) => ({
        ...{
          agent_id,
          workspace_id,
          state,
          is_ringing,
          call_id,
          reason,
          since: since?.toISOString() ?? null,
        },
      }),
    )
    for (let at = 0; at < states.length; at += atOnce) {
      servers.notify(serverId, 'states', states.slice(at, at + atOnce) satisfies PublishedState[])
    }
  })
  servers.onNotice('states', (states: PublishedState[]) => {
    for (const one of states) if (!seen.find(one.agent_id)?.published) note(one)
  })
}
