/** State of the live board, and what is derived from it. */
import type { components } from '@jackfield/sdk'
import type { LiveEvent } from '../../live/live-stream'
import { type ShownState, shownStateOf } from '../presence/shown-state'

export type Board = components['schemas']['LiveBoard']
export type LiveCall = components['schemas']['LiveCall']
export type LiveAgent = components['schemas']['LiveAgent']
export type LiveTeam = components['schemas']['LiveTeam']
export type FarParty = LiveCall['far_party']

/** Payload of `live.calls`: new and changed calls, and ids of calls that this user no longer sees. */
interface CallsNews {
  calls: LiveCall[]
  gone: string[]
}

/** Payload of `workspace.agent.state`. */
type StateNews = Pick<LiveAgent, 'agent_id' | 'state' | 'is_ringing' | 'since' | 'call_id' | 'reason'>

/** The board after applying events in order. */
export function afterEvents(board: Board, events: readonly LiveEvent[]): Board {
  if (events.length === 0) return board
  const calls = new Map(board.calls.map((call) => [call.call_id, call]))
  const states = new Map<string, StateNews>()
  for (const event of events) {
    if (event.event === 'live.calls') {
      const { calls: changed, gone } = event as unknown as CallsNews
      for (const call of changed) calls.set(call.call_id, call)
      for (const id of gone) calls.delete(id)
    } else if (event.event === 'workspace.agent.state') {
      const news = event as unknown as StateNews
      states.set(news.agent_id, news)
    }
  }
  const isOlder = (one: LiveCall, other: LiveCall) => (one.call_id < other.call_id ? -1 : 1)
  return {
    ...board,
    calls: [...calls.values()].sort(isOlder),
    agents: states.size === 0 ? board.agents : board.agents.map((agent) => inState(agent, states)),
  }
}

function inState(agent: LiveAgent, states: ReadonlyMap<string, StateNews>): LiveAgent {
  const news = states.get(agent.agent_id)
  if (!news) return agent
  const { state, is_ringing, since, call_id, reason } = news
  // A call hides the reason, and does not take it away.
  const shown = call_id === null ? reason : agent.reason
  return { ...agent, state, is_ringing, since, call_id, reason: shown, chosen_state: chosenIn(agent, news) }
}

/** The event does not carry the chosen state; some states imply it. */
function chosenIn(agent: LiveAgent, { state, call_id }: StateNews): LiveAgent['chosen_state'] {
  if (state === 'available') return 'available'
  if (state === 'busy' && call_id === null) return 'busy'
  return agent.chosen_state
}

/** The whole board, or one team's part. */
export function ofTeam(board: Board, teamId: string | undefined): Board {
  if (teamId === undefined) return board
  const agents = board.agents.filter(({ team_ids }) => team_ids.includes(teamId))
  const ids = new Set(agents.map(({ agent_id }) => agent_id))
  const calls = board.calls.filter(
    (call) => call.waiting?.team_id === teamId || call.agents.some(({ agent_id }) => ids.has(agent_id)),
  )
  return { ...board, agents, calls, teams: board.teams.filter(({ id }) => id === teamId) }
}

/** Waiting calls, the longest wait first. */
export function waitingIn(board: Board): LiveCall[] {
  return board.calls
    .filter(({ waiting }) => waiting !== null)
    .sort((one, other) => order(one.waiting?.entered_at ?? '', other.waiting?.entered_at ?? ''))
}

/** Queue position of each call in its team's queue, from 1, by call. */
export function placesIn(board: Board): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>()
  return new Map(
    waitingIn(board).map(({ call_id, waiting }) => {
      const place = (lengths.get(waiting?.team_id ?? '') ?? 0) + 1
      lengths.set(waiting?.team_id ?? '', place)
      return [call_id, place]
    }),
  )
}

const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

export interface Figures {
  states: Record<ShownState, number>
  /** All calls of the team that are not waiting in a queue. */
  calls: number
  waiting: number
  /** ISO 8601: start of the longest wait. */
  waitingSince: string | null
}

function noFigures(): Figures {
  return {
    states: { available: 0, ringing: 0, incall: 0, busy: 0, offline: 0 },
    ...{ calls: 0, waiting: 0, waitingSince: null },
  }
}

function countCall(figures: Figures, { waiting }: LiveCall): void {
  if (!waiting) {
    figures.calls += 1
    return
  }
  figures.waiting += 1
  const { waitingSince } = figures
  if (waitingSince === null || waiting.entered_at < waitingSince) figures.waitingSince = waiting.entered_at
}

/** Figures of a board. */
export function figuresOf(board: Board): Figures {
  const figures = noFigures()
  for (const agent of board.agents) figures.states[shownStateOf(agent)] += 1
  for (const call of board.calls) countCall(figures, call)
  return figures
}

/** Figures of each team, in one pass over agents and calls. */
export function figuresByTeam(board: Board): ReadonlyMap<string, Figures> {
  const byTeam = new Map(board.teams.map(({ id }) => [id, noFigures()]))
  const teamsOf = new Map<string, readonly string[]>()
  for (const agent of board.agents) {
    teamsOf.set(agent.agent_id, agent.team_ids)
    for (const id of agent.team_ids) {
      const figures = byTeam.get(id)
      if (figures) figures.states[shownStateOf(agent)] += 1
    }
  }
  for (const call of board.calls) {
    const teams = call.waiting
      ? [call.waiting.team_id]
      : new Set(call.agents.flatMap(({ agent_id }) => teamsOf.get(agent_id) ?? []))
    for (const id of teams) {
      const figures = byTeam.get(id)
      if (figures) countCall(figures, call)
    }
  }
  return byTeam
}

/** Whether caller, called party or an agent contains the text. */
export function callMatches({ from, to, agents }: LiveCall, text: string): boolean {
  const word = text.trim().toLowerCase()
  if (word === '') return true
  const names = agents.flatMap(({ username, display_name }) => [username, display_name])
  return [from.number, from.name, to.number, to.name, ...names].some((one) =>
    one.toLowerCase().includes(word),
  )
}

export function agentMatches({ username, display_name }: LiveAgent, text: string): boolean {
  const word = text.trim().toLowerCase()
  return word === '' || [username, display_name].some((one) => one.toLowerCase().includes(word))
}

/** The far end of the call, from the workspace's side. */
export function otherParty({ direction, from, to }: LiveCall): FarParty {
  return direction === 'inbound' ? from : to
}

/** The far end of the call for one of its agents: in a call between two agents each has the other. */
export function farPartyFor(call: LiveCall, agentId: string): FarParty {
  const isAgent = ({ agent_id }: { agent_id: string }) => agent_id === agentId
  if (call.supervisors.some(isAgent)) return otherParty(call)
  // A browser that rings has no leg before it answers.
  return (call.agents.find(isAgent) ?? call).far_party
}
