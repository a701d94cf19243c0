/** Which agent had which call; and calls as agents see them: their own, and those of their teams. */
import type { Database } from '../../../infrastructure/database/database.js'
import { type Owner, WorkspaceTable } from '../../../infrastructure/database/workspace-table.js'
import type { AgentActor } from '../../../infrastructure/http/endpoint.js'
import { notFound } from '../../../infrastructure/http/errors.js'
import type { ListRequest, Page } from '../../../infrastructure/http/lists.js'
import { Call } from '../model/call.entity.js'

/** An agent who took part in a call. */
export interface CallAgent {
  id: string
  username: string
  display_name: string
}

/** A call with the agent who made or answered it, the last one if there were several; null when none did. */
export type HandledCall = Call & { agent: CallAgent | null }

// Why an agent may see a call, each for `[call, agent]`: the agent has a leg in it; an agent of one of their teams
// has one; the call is in the history of one of their teams.
const tookPart = 'SELECT 1 FROM call_legs leg WHERE leg.call_id = ? AND leg.agent_id = ?'
const teamTakesPart = `SELECT 1 FROM call_legs leg
  JOIN team_members theirs ON theirs.agent_id = leg.agent_id
  JOIN team_members own ON own.team_id = theirs.team_id WHERE leg.call_id = ? AND own.agent_id = ?`
const teamTookPart = `SELECT 1 FROM team_calls had
  JOIN team_members own ON own.team_id = had.team_id WHERE had.call_id = ? AND own.agent_id = ?`

type Paging = Pick<ListRequest, 'page' | 'limit'>

export class CallHistory {
  private readonly calls: WorkspaceTable<Call>

  constructor(private readonly database: Database) {
    this.calls = new WorkspaceTable(database, Call)
  }

  /** Calls that an agent made, answered or was rung for, newest first; live ones too. */
  async ofAgent(workspace: Owner, agentId: string, paging: Paging): Promise<Page<HandledCall>> {
    return this.page(workspace, paging, 'call_legs WHERE workspace_id = ? AND agent_id = ?', [
      workspace.id,
      agentId,
    ])
  }

  /** Calls that have ended and that agents of a team took part in, newest first. */
  async ofTeam(workspace: Owner, teamId: string, paging: Paging): Promise<Page<HandledCall>> {
    return this.page(workspace, paging, 'team_calls WHERE workspace_id = ? AND team_id = ?', [
      workspace.id,
      teamId,
    ])
  }

  /**
   * A call that an agent may see: one in which they have a leg or, for leaders and supervisors, one of their teams.
   * @throws 404 for an unknown call, and for one that the agent may not see
   */
  async get(workspace: Owner, callId: string, { id: agentId, role }: AgentActor): Promise<HandledCall> {
    const ways = role !== 'member' ? [tookPart, teamTakesPart, teamTookPart] : [tookPart]
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
    const agents = await this.agents(workspace, [...new Set(agentOf.values())])
    return calls.map((call) => ({ ...call, agent: agents.get(agentOf.get(call.id) ?? '') ?? null }))
  }

  /** As {@link withAgents}, for one call. */
  async withAgent(workspace: Owner, call: Call): Promise<HandledCall> {
    const [handled] = await this.withAgents(workspace, [call])
    return handled ?? { ...call, agent: null }
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

  /** Call ids sort by creation time, and the index that `from` uses ends with them. */
  private async page(
    workspace: Owner,
    { page, limit }: Paging,
    from: string,
    values: string[],
  ): Promise<Page<HandledCall>> {
    const { source } = this.database
    const [ids, [count]] = await Promise.all([
      source.query<{ id: string }[]>(
        `SELECT DISTINCT call_id AS id FROM ${from} ORDER BY call_id DESC LIMIT ? OFFSET ?`,
        [...values, limit, (page - 1) * limit],
      ),
      source.query<{ total: string }[]>(`SELECT COUNT(DISTINCT call_id) AS total FROM ${from}`, values),
    ])
    const calls = await this.calls.findMany(
      workspace,
      ids.map(({ id }) => id),
    )
    return { rows: await this.withAgents(workspace, calls.reverse()), total: Number(count?.total ?? 0) }
  }
}
