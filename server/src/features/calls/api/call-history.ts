/** Which agent had which call; and calls as agents see them: their own, and those of their teams. */
import type { Database } from '../../../infrastructure/database/database.js'
import { type Owner, WorkspaceTable } from '../../../infrastructure/database/workspace-table.js'
import type { AgentActor } from '../../../infrastructure/http/endpoint.js'
import { notFound } from '../../../infrastructure/http/errors.js'
import { Call } from '../model/call.entity.js'
import type { OfferResult } from '../model/call-offer.entity.js'
import { shownOffers } from '../model/call.schema.js'
import type { CallAgent, Related, RelatedToCalls, Titled } from './related.js'

/** An agent who was rung; null if deleted since. */
export interface ShownOffer {
  readonly agent: CallAgent | null
  readonly team: Titled | null
  readonly began_at: Date
  readonly ended_at: Date | null
  readonly result: OfferResult | null
}

/** A call with the agent who made or answered it, the last one if there were several; null when none did. */
export type HandledCall = Call & Related & { agent: CallAgent | null }

// Why an agent may see a call, each for `[call, agent]`: the agent has a leg in it, or was rung; an agent of one of their teams
// has one; the call is in the history of one of their teams.
const tookPart = `SELECT 1 FROM call_legs leg WHERE leg.call_id = ? AND leg.agent_id = ?`
const wasRung = `SELECT 1 FROM call_offers offer WHERE offer.call_id = ? AND offer.agent_id = ?`
const teamTakesPart = `SELECT 1 FROM call_legs leg
  JOIN team_members theirs ON theirs.agent_id = leg.agent_id
  JOIN team_members own ON own.team_id = theirs.team_id WHERE leg.call_id = ? AND own.agent_id = ?`
const teamTookPart = `SELECT 1 FROM team_calls had
  JOIN team_members own ON own.team_id = had.team_id WHERE had.call_id = ? AND own.agent_id = ?`

type OfferRow = Pick<ShownOffer, 'began_at' | 'ended_at' | 'result'> &
  (CallAgent | { id: null; username: null; display_name: null }) &
  ({ team_id: string; team: string } | { team_id: null; team: null })

export class CallHistory {
  private readonly calls: WorkspaceTable<Call>

  constructor(
    private readonly database: Database,
    private readonly related: RelatedToCalls,
  ) {
    this.calls = new WorkspaceTable(database, Call)
  }

  /**
   * A call that an agent may see: one in which they have a leg or, for leaders and supervisors, one of their teams.
   * @throws 404 for an unknown call, and for one that the agent may not see
   */
  async get(workspace: Owner, callId: string, { id: agentId, role }: AgentActor): Promise<HandledCall> {
    const ways = role !== 'member' ? [tookPart, wasRung, teamTakesPart, teamTookPart] : [tookPart, wasRung]
    const seen: unknown[] = await this.database.source.query(
      `${ways.join(' UNION ALL ')} LIMIT 1`,
      ways.flatMap(() => [callId, agentId]),
    )
    const call = seen.length > 0 ? await this.calls.find(workspace, callId) : null
    if (!call) throw notFound(`Call ${callId} not found`)
    return this.withAgent(workspace, call)
  }

  /** Calls of a workspace, each with its agent. */
  async withAgents(workspace: Owner, calls: readonly Call[]): Promise<HandledCall[]> {
    if (calls.length === 0) return []
    const legs: { call_id: string; agent_id: string }[] = await this.database.source.query(
      `SELECT call_id, agent_id FROM call_legs
       WHERE call_id IN (?) AND agent_id IS NOT NULL AND (role = 'caller' OR answered_at IS NOT NULL)
         AND role <> 'supervisor'
       ORDER BY answered_at, id`,
      [calls.map(({ id }) => id)],
    )
    const agentOf = new Map(legs.map((leg) => [leg.call_id, leg.agent_id]))
    const [agents, related] = await Promise.all([
      this.agents(workspace, [...new Set(agentOf.values())]),
      this.related.of(workspace, calls),
    ])
    return calls.flatMap((call) => {
      const its = related.get(call.id)
      return its ? [{ ...call, ...its, agent: agents.get(agentOf.get(call.id) ?? '') ?? null }] : []
    })
  }

  /** As {@link withAgents}, for one call. */
  async withAgent(workspace: Owner, call: Call): Promise<HandledCall> {
    const [handled] = await this.withAgents(workspace, [call])
    if (!handled) throw notFound(`Call ${call.id} not found`)
    return handled
  }

  /** The agents that a call rang, in order; the first hundred. */
  async offers({ id }: Call): Promise<ShownOffer[]> {
    const rows: OfferRow[] = await this.database.source.query(
      `SELECT offer.began_at, offer.ended_at, offer.result, agent.id, agent.username, agent.display_name,
         team.id AS team_id, team.title AS team
       FROM call_offers offer
       LEFT JOIN agents agent ON agent.id = offer.agent_id LEFT JOIN teams team ON team.id = offer.team_id
       WHERE offer.call_id = ? ORDER BY offer.began_at, offer.id LIMIT ?`,
      [id, shownOffers],
    )
    return rows.map(({ id: agentId, username, display_name, team_id, team, ...offer }) => ({
      ...offer,
      agent: agentId === null ? null : { id: agentId, username, display_name },
      team: team_id === null ? null : { id: team_id, title: team },
    }))
  }

  /** Names of agents, by id, without those that have been deleted. */
  async agents(workspace: Owner, ids: readonly string[]): Promise<ReadonlyMap<string, CallAgent>> {
    if (ids.length === 0) return new Map()
    const rows: CallAgent[] = await this.database.source.query(
      'SELECT id, username, display_name FROM agents WHERE workspace_id = ? AND id IN (?)',
      [workspace.id, ids],
    )
    return new Map(rows.map((row) => [row.id, row]))
  }
}
