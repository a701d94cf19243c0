/** States that servers have told of are known to all of them: what one has told, no other tells again. */
import type { Servers } from '../servers/servers.js'
import type { EventHub } from '../stream/event-hub.js'
import type { AgentState } from './agent-state.js'
import type { SeenStates } from './seen-states.js'

/** A state on its way: dates are text there. */
interface ToldState {
  readonly agent_id: string
  readonly workspace_id: string
  readonly state: AgentState
  readonly call_id: string | null
  readonly since: string | null
}

/** States in one message. */
const atOnce = 500

export function shareStates(seen: SeenStates, servers: Servers, hub: EventHub): void {
  const note = ({ agent_id, workspace_id, state, call_id, since }: ToldState) => {
    seen.note(agent_id, { workspace_id, state, call_id, since: since ? new Date(since) : null, told: true })
  }
  hub.onForeign('workspace.agent.state', ({ workspace_id, data }) => {
    note({ ...(data as Omit<ToldState, 'workspace_id'>), workspace_id })
  })
  servers.on('hello', (serverId) => {
    const states = [...seen.told()].map(([agent_id, { workspace_id, state, call_id, since }]) => ({
      ...{ agent_id, workspace_id, state, call_id, since: since?.toISOString() ?? null },
    }))
    for (let at = 0; at < states.length; at += atOnce) {
      servers.notify(serverId, 'states', states.slice(at, at + atOnce) satisfies ToldState[])
    }
  })
  servers.onNotice('states', (states: ToldState[]) => {
    for (const one of states) if (!seen.find(one.agent_id)?.told) note(one)
  })
}
