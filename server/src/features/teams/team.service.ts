/** Teams. */
import type { EntityManager, FindOptionsWhere } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { notFound } from '../../infrastructure/http/errors.js'
import type { ListRequest, Page } from '../../infrastructure/http/lists.js'
import { type ResourceRow, ResourceService } from '../../infrastructure/resources/resource-service.js'
import type { InUse } from '../../infrastructure/resources/in-use.js'
import type { Team } from './team.entity.js'
import { teamResource } from './team.resource.js'
import type { CreateTeam, UpdateTeam } from './team.schema.js'

/** What else is done in the transaction that deletes a team, which it has locked. */
type Release = (tx: EntityManager, workspace: Owner, teamId: string) => Promise<void>

export class TeamService extends ResourceService<Team, CreateTeam, UpdateTeam> {
  private readonly releases: Release[] = []

  constructor(database: Database, inUse: InUse, max: number) {
    super(teamResource, { database, inUse, max })
  }

  /** Registers a hook that releases what belongs to a deleted team. */
  alsoRelease(release: Release): void {
    this.releases.push(release)
  }

  /** A page of the teams, or of those that a condition names. */
  override async list(
    workspace: Owner,
    request: ListRequest,
    where: FindOptionsWhere<Team> = {},
  ): Promise<Page<Team>> {
    const sort_field = request.sort_field === 'name' ? 'title' : request.sort_field
    return super.list(workspace, { ...request, sort_field }, where)
  }

  /** Whatever the case and accents of the name. */
  async findByName(workspace: Owner, name: string): Promise<Team | null> {
    return this.table.findBy(workspace, { title: name })
  }

  /** @returns the id of the member who was rung last by a round-robin call; '' if there was none */
  async lastOffered({ id: workspaceId }: Owner, teamId: string): Promise<string> {
    const rows = await this.database.source.query<{ last: string | null }[]>(
      'SELECT last_offered_member AS last FROM teams WHERE workspace_id = ? AND id = ?',
      [workspaceId, teamId],
    )
    return rows[0]?.last ?? ''
  }

  async setLastOffered({ id: workspaceId }: Owner, teamId: string, memberId: string): Promise<void> {
    await this.database.source.query(
      'UPDATE teams SET last_offered_member = ? WHERE workspace_id = ? AND id = ?',
      [memberId, workspaceId, teamId],
    )
  }

  protected rowOf(base: ResourceRow, { name }: CreateTeam): Team {
    return { ...base, title: name }
  }

  protected changesOf({ name }: UpdateTeam): Partial<Team> {
    return name === undefined ? {} : { title: name }
  }

  protected override async deleting(tx: EntityManager, { id, workspace_id }: Team): Promise<undefined> {
    for (const release of this.releases) await release(tx, { id: workspace_id }, id)
  }

  protected override unknown() {
    return notFound('Team not found')
  }
}
