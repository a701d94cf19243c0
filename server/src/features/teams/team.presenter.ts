/** Teams as agents see them. */
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { MembershipService } from './membership.service.js'
import type { Team } from './team.entity.js'

export class TeamPresenter {
  constructor(private readonly memberships: MembershipService) {}

  /** Presents some teams of one workspace. */
  async presenting(workspace: Owner, teams: readonly Team[]) {
    const countOf = await this.memberships.countsOf(workspace, teams)
    return (team: Team) => ({
      ...{ id: team.id, workspace_id: team.workspace_id, title: team.title, agent_count: countOf(team) },
      created_at: team.created_at.toISOString(),
      updated_at: team.updated_at.toISOString(),
    })
  }
}
