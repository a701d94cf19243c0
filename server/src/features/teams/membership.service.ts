/** Members of teams. */
import { In, Raw } from 'typeorm'
import type { AgentService } from '../agents/agent.service.js'
import type { Agent } from '../agents/agent.entity.js'
import { type Database, isDuplicate, isMissingReference } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { type Owner, WorkspaceTable } from '../../infrastructure/database/workspace-table.js'
import { notFound } from '../../infrastructure/http/errors.js'
import type { ListRequest, Page } from '../../infrastructure/http/lists.js'
import { TeamMember } from './team-member.entity.js'
import type { Team } from './team.entity.js'
import type { TeamService } from './team.service.js'

type Paging = Pick<ListRequest, 'page' | 'limit'>

/** Of adding what others add and remove in the same moment. */
const maxAttempts = 5

export class MembershipService {
  private readonly table: WorkspaceTable<TeamMember>

  constructor(
    private readonly database: Database,
    private readonly teams: TeamService,
    private readonly agents: AgentService,
  ) {
    this.table = new WorkspaceTable(database, TeamMember, { audited: 'team_member' })
  }

  /** Returns how many agents each of some teams has, by one query. */
  async countsOf(workspace: Owner, teams: readonly Team[]): Promise<(team: Team) => number> {
    if (teams.length === 0) return () => 0
    const rows = await this.database
      .platformTable(TeamMember)
      .createQueryBuilder('row')
      .select(['row.team_id AS id', 'COUNT(*) AS agents'])
      .where({ workspace_id: workspace.id, team_id: In(teams.map(({ id }) => id)) })
      .groupBy('row.team_id')
      .getRawMany<{ id: string; agents: string }>()
    const counts = new Map(rows.map(({ id, agents }) => [id, Number(agents)]))
    return ({ id }) => counts.get(id) ?? 0
  }

  /** A page of a team's agents. @throws 404 */
  async agentsOf(workspace: Owner, teamId: string, request: ListRequest): Promise<Page<Agent>> {
    await this.teams.get(workspace, teamId)
    const isMember = (id: string) => `${id} IN (SELECT agent_id FROM team_members WHERE team_id = :teamId)`
    return this.agents.listWhere(workspace, request, { id: Raw(isMember, { teamId }) })
  }

  /** A page of a team's active agents by their names. @param except an agent to leave out */
  async activeOf(workspace: Owner, teamId: string, page: Paging, except = ''): Promise<Page<Agent>> {
    const isTeammate = (id: string) =>
      `${id} <> :except AND ${id} IN (SELECT agent_id FROM team_members WHERE team_id = :teamId)`
    return this.agents.listWhere(
      workspace,
      { ...page, sort_field: 'display_name', sort_order: 'asc' },
      { id: Raw(isTeammate, { teamId, except }), is_active: true },
    )
  }

  /** A page of an agent's teams. @throws 404 */
  async teamsOf(workspace: Owner, agentId: string, request: ListRequest): Promise<Page<Team>> {
    await this.agents.get(workspace, agentId)
    const hasMember = (id: string) => `${id} IN (SELECT team_id FROM team_members WHERE agent_id = :agentId)`
    return this.teams.list(workspace, request, { id: Raw(hasMember, { agentId }) })
  }

  async has(workspace: Owner, teamId: string, agentId: string): Promise<boolean> {
    return (await this.find(workspace, teamId, agentId)) !== null
  }

  /** Whether two agents are in one team. */
  async shareTeam(workspace: Owner, agentId: string, otherId: string): Promise<boolean> {
    const rows: unknown[] = await this.database.source.query(
      `SELECT 1 FROM team_members one JOIN team_members other
         ON other.workspace_id = one.workspace_id AND other.team_id = one.team_id
       WHERE one.workspace_id = ? AND one.agent_id = ? AND other.agent_id = ? LIMIT 1`,
      [workspace.id, agentId, otherId],
    )
    return rows.length > 0
  }

  /** A team's agent of this name. @throws 404 */
  async memberNamed(workspace: Owner, teamId: string, username: string): Promise<Agent> {
    const agent = await this.agents.findByUsername(workspace, username)
    if (!agent || !(await this.has(workspace, teamId, agent.id))) throw notFound('The team has no such agent')
    return agent
  }

  /** Puts an agent into a team, or finds it there. @throws 404 */
  async add(workspace: Owner, teamId: string, agentId: string): Promise<TeamMember> {
    for (let attempt = 1; ; attempt++) {
      const name = await this.nameOf(workspace, teamId, agentId)
      const known = await this.find(workspace, teamId, agentId)
      if (known) return known
      const row = { id: newId('mem'), workspace_id: workspace.id, team_id: teamId, agent_id: agentId }
      try {
        return await this.table.insert({ ...row, created_at: new Date() }, name)
      } catch (error) {
        if (isMissingReference(error)) throw notFound('Team or agent not found')
        // Another request added the same; by now that may be gone again, and the team or the agent with it.
        if (!isDuplicate(error) || attempt >= maxAttempts) throw error
      }
    }
  }

  /** @throws 404 when the agent is not in the team */
  async remove(workspace: Owner, teamId: string, agentId: string): Promise<TeamMember> {
    const member = await this.find(workspace, teamId, agentId)
    if (!member) throw notFound('Membership not found')
    await this.table.delete(workspace, member.id, await this.nameOf(workspace, teamId, agentId))
    return member
  }

  /** In the audit log: a membership has no name of its own. @throws 404 */
  private async nameOf(workspace: Owner, teamId: string, agentId: string): Promise<string> {
    const { title } = await this.teams.get(workspace, teamId)
    const { display_name } = await this.agents.get(workspace, agentId)
    return `${display_name}, ${title}`
  }

  private async find(workspace: Owner, team_id: string, agent_id: string): Promise<TeamMember | null> {
    return this.table.findBy(workspace, { team_id, agent_id })
  }
}
