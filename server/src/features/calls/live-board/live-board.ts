/** The live board: teams, their agents with states, and their calls, as of now. */
import { Raw } from 'typeorm'
import type { Agent } from '../../agents/agent.entity.js'
import type { AgentService } from '../../agents/agent.service.js'
import type { Database } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { AgentStateService } from '../../presence/agent-state.service.js'
import type { MembershipService } from '../../teams/membership.service.js'
import type { Team } from '../../teams/team.entity.js'
import type { TeamService } from '../../teams/team.service.js'
import type { LiveCallsTable } from './live-calls-table.js'
import { presentLiveCall } from './present-live-call.js'

/** At most this many agents and this many calls: a longer board is unreadable. */
const most = 5_000

/** The default limit of teams in a workspace. */
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

  /** The board of an agent's teams. */
  async ofTeamsOf(workspace: Owner, agentId: string) {
    const { memberships } = this.services
    const { rows } = await memberships.teamsOf(workspace, agentId, everyTeam)
    return this.show(workspace, rows, false)
  }

  /** The board of the whole workspace, including agents and calls without a team. */
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

  /** The given teams that each agent is a member of. */
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
