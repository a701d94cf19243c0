/** Which teams an agent may look into, and which they may manage (contract, Teams: roles are of the whole workspace). */
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { AgentActor } from '../../infrastructure/http/endpoint.js'
import { forbidden } from '../../infrastructure/http/errors.js'
import type { MembershipService } from './membership.service.js'
import type { Team } from './team.entity.js'
import type { TeamService } from './team.service.js'

interface Settings {
  /** Whether a workspace wants leaders and supervisors to manage only teams that they are members of. */
  leadersOnlyOwnTeams(workspace: Owner): Promise<boolean>
}

export class TeamAccess {
  constructor(
    private readonly teams: TeamService,
    private readonly memberships: MembershipService,
    private readonly settings: Settings,
  ) {}

  /** A team that an agent is in. @throws 404 unknown, 403 not a member of it */
  async enter(workspace: Owner, teamId: string, { id }: Pick<AgentActor, 'id'>): Promise<Team> {
    const team = await this.teams.get(workspace, teamId)
    if (!(await this.memberships.has(workspace, teamId, id))) {
      throw forbidden('This needs a member of the team')
    }
    return team
  }

  /**
   * A team that an agent manages whose role the endpoint has checked.
   * @throws 404 unknown, 403 not a member of it where the workspace asks for that
   */
  async manage(workspace: Owner, teamId: string, actor: Pick<AgentActor, 'id'>): Promise<Team> {
    if (await this.settings.leadersOnlyOwnTeams(workspace)) return this.enter(workspace, teamId, actor)
    return this.teams.get(workspace, teamId)
  }
}

/** What endpoints of teams answer besides what they declare themselves. */
export const teamErrors = { 403: 'Not a member of the team, or of too low a role', 404: 'No such team' }

/** The same of endpoints that manage a team. */
export const managedTeamErrors = {
  403: 'Of too low a role; or not a member of the team, where `leaders_only_own_teams` of the workspace is true',
  404: 'No such team',
}
