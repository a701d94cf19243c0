/** The live board: teams, their agents with their states, and their calls, as they are in this moment. */
import { Raw } from 'typeorm'
import type { Agent } from '../../agents/agent.entity.js'
import type { AgentService } from '../../agents/agent.service.js'
import type { Database } from '../../database/database.js'
import type { Owner } from '../../database/workspace-table.js'
import type { AgentStateService } from '../../presence/agent-state.service.js'
import type { MembershipService } from '../../teams/membership.service.js'
import type { Team } from '../../teams/team.entity.js'
import type { TeamService } from '../../teams/team.service.js'
import type { LiveCallsTable } from './live-calls-table.js'
import { presentLiveCall } from './present-live-call.js'

/** Agents and calls on one board: each. Beyond it nobody reads it. */
const most = 5_000

/** As many as a workspace has, unless its operator raised the limit. */
const mostTeams = 1_000

interface Services {
  database: Database
  agents: AgentService
  teams: TeamService
  memberships: MembershipService
  agentStates: AgentStateService
  calls: LiveCallsTable
}

export class LiveBoard {
  constructor(private readonly services: Services) {}

  /** What goes on in the teams of an agent. */
  async ofTeamsOf(workspace: Owner, agentId: string) {
    const { memberships } = this.services
    const { rows } = await memberships.teamsOf(workspace, agentId, everyTeam)
    return this.show(workspace, rows, false)
  }

  /** What goes on in the whole workspace, also with agents and calls of no team. */
  async ofAll(workspace: Owner) {
    const { rows } = await this.services.teams.list(workspace, everyTeam)
    return this.show(workspace, rows, true)
  }

  private async show(workspace: Owner, teams: readonly Team[], isWhole: boolean) {
    const { memberships, agentStates, calls } = this.services
    const ids = teams.map(({ id }) => id)
    const [countOf, agents, teamsOf, shown] = await Promise.all([
      memberships.countsOf(workspace, teams),
      this.agentsOf(workspace, isWhole ? null : ids),
      this.teamIds(workspace, ids),
      calls.of(workspace, isWhole ? null : ids, most + 1),
    ])
    const stateOf = await agentStates.showing(workspace, agents.rows)
    return {
      timestamp: new Date().toISOString(),
      teams: teams.map((team) => ({ id: team.id, title: team.title, agent_count: countOf(team) })),
      agents: agents.rows.map((agent) => ({
        ...stateOf(agent),
        role: agent.role,
        team_ids: teamsOf.get(agent.id) ?? [],
      })),
      calls: shown.slice(0, most).map(presentLiveCall),
      is_complete: agents.total <= most && shown.length <= most,
    }
  }

  private async agentsOf(
    workspace: Owner,
    teamIds: readonly string[] | null,
  ): Promise<{ rows: Agent[]; total: number }> {
    if (teamIds?.length === 0) return { rows: [], total: 0 }
    const isMember = (id: string) =>
      `${id} IN (SELECT agent_id FROM team_members WHERE team_id IN (:...teamIds))`
    const page = { page: 1, limit: most, sort_field: 'display_name', sort_order: 'asc' } as const
    const where = teamIds ? { id: Raw(isMember, { teamIds }) } : {}
    return this.services.agents.listWhere(workspace, page, { ...where, is_active: true })
  }

  /** Of each agent, those of some teams that they are in. */
  private async teamIds(workspace: Owner, teamIds: readonly string[]): Promise<Map<string, string[]>> {
    if (teamIds.length === 0) return new Map()
    const rows: { team_id: string; agent_id: string }[] = await this.services.database.source.query(
      'SELECT team_id, agent_id FROM team_members WHERE workspace_id = ? AND team_id IN (?) ORDER BY id',
      [workspace.id, teamIds],
    )
    const found = new Map<string, string[]>()
    for (const { team_id, agent_id } of rows) found.set(agent_id, [...(found.get(agent_id) ?? []), team_id])
    return found
  }
}

const everyTeam = { page: 1, limit: mostTeams, sort_field: 'name', sort_order: 'asc' } as const
