/**
 * Presence of agents (contract, section Agent presence): derived from what reaches them in this moment and from what was
 * chosen, and stored nowhere.
 */
import { type FindOperator, In, Not } from 'typeorm'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type {
  AgentState,
  AgentStates,
  AgentPresence,
  PresenceSource,
  ShownState,
} from '../agents/agent-state.js'
import type { ChosenState } from './chosen-state.entity.js'
import type { ChosenStates } from './chosen-states.js'
import type { SeenStates } from './seen-states.js'

/** If sources differ, the first of these states wins. */
const precedence: readonly AgentPresence['state'][] = ['incall', 'busy', 'available']

const offline: ShownState = { state: 'offline', is_ringing: false, since: null, call_id: null, reason: null }

export class Presence implements AgentStates {
  constructor(
    private readonly sources: readonly PresenceSource[],
    private readonly chosen: Pick<ChosenStates, 'of'>,
    private readonly seen: Pick<SeenStates, 'since'>,
  ) {}

  /** Returns a function that maps an agent's id to the agent's state. @param ids asks only for these agents */
  async of(workspace: Owner, ids?: readonly string[]): Promise<(id: string) => ShownState> {
    const online = await this.onlineIn(workspace, ids)
    return (id) => {
      const shown = online.get(id) ?? offline
      // Another reason has a time of its own, though the state is the same.
      if (shown.reason !== null) return shown
      return { ...shown, since: this.seen.since(id, shown.state) ?? shown.since }
    }
  }

  /** The condition on an agent's id that it is in a state: nothing of presence can be asked of the database. */
  async being(workspace: Owner, state: AgentState): Promise<FindOperator<string>> {
    const online = [...(await this.onlineIn(workspace))].filter(([, shown]) => shown.state !== 'offline')
    if (state === 'offline') return Not(In(online.map(([id]) => id)))
    return In(online.filter(([, shown]) => shown.state === state).map(([id]) => id))
  }

  /** Agents that can be reached, by id; some may have chosen to be offline all the same. */
  async onlineIn(workspace: Owner, ids?: readonly string[]): Promise<Map<string, ShownState>> {
    if (ids?.length === 0) return new Map()
    const [chosen, ...found] = await Promise.all([
      this.chosen.of(workspace, ids),
      ...this.sources.map(async (source) => source.onlineIn(workspace, ids)),
    ])
    const strongest = new Map<string, AgentPresence>()
    for (const [id, presence] of found.flatMap((presences) => [...presences])) {
      const known = strongest.get(id)
      if (!known || precedence.indexOf(presence.state) < precedence.indexOf(known.state))
        strongest.set(id, presence)
    }
    return new Map([...strongest].map(([id, presence]) => [id, shownAs(presence, chosen.get(id))]))
  }
}

/** A call is a fact; whether a reachable agent takes calls is chosen. */
function shownAs(presence: AgentPresence, chosen?: ChosenState): ShownState {
  const { state, is_ringing = false, since, call_id } = presence
  if (state !== 'available' || !chosen)
    return { state, is_ringing, since: since ?? null, call_id: call_id ?? null, reason: null }
  const { state: chosenState, chosen_at, reason } = chosen
  return { state: chosenState, is_ringing: false, since: chosen_at, call_id: null, reason }
}
