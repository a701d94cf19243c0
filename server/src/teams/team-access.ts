/** Which teams an agent may look into: those they are in. What they may do there, their role says. */
import type { Owner } from '../database/workspace-table.js'
import type { AgentActor } from '../http/endpoint.js'
import { forbidden } from '../http/errors.js'
import type { MembershipService } from './membership.service.js'
import type { Team } from './team.entity.js'
import type { TeamService } from './team.service.js'

export class TeamAccess {
  constructor(
    private readonly teams: TeamService,
    private readonly memberships: MembershipService,
  ) {}

  /** A team that an agent is in. @throws 404 unknown, 403 not a member of it */
  async enter(workspace: Owner, teamId: string, { id }: Pick<AgentActor, 'id'>): Promise<Team> {
    const team = await this.teams.get(workspace, teamId)
    if (!(await this.memberships.has(workspace, teamId, id))) {
      throw forbidden('This needs a member of the team')
    }
    return team
  }
}

/** What endpoints of teams answer besides what they declare themselves. */
export const teamErrors = { 403: 'Not a member of the team, or of too low a role', 404: 'No such team' }
