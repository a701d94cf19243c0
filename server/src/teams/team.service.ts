/** Teams. */
import type { EntityManager, FindOptionsWhere } from 'typeorm'
import { type Database, isDuplicate } from '../database/database.js'
import { newId } from '../database/ids.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import { conflict, notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import type { InUse } from '../workspaces/in-use.js'
import { checkLimit } from '../workspaces/limits.js'
import { Team } from './team.entity.js'
import type { CreateTeam, UpdateTeam } from './team.schema.js'

/** What else is done in the transaction that deletes a team, which it has locked. */
type Release = (tx: EntityManager, workspace: Owner, teamId: string) => Promise<void>

export class TeamService {
  private readonly table: WorkspaceTable<Team>
  private readonly releases: Release[] = []

  constructor(
    private readonly database: Database,
    private readonly inUse: InUse,
    private readonly limit: number,
  ) {
    this.table = new WorkspaceTable(database, Team, { audited: 'team', fields: { title: 'name' } })
  }

  /** Registers a hook that releases what belongs to a deleted team. */
  alsoRelease(release: Release): void {
    this.releases.push(release)
  }

  /** A page of the teams, or of those that a condition names. */
  async list(
    workspace: Owner,
    request: ListRequest,
    where: FindOptionsWhere<Team> = {},
  ): Promise<Page<Team>> {
    const sort_field = request.sort_field === 'name' ? 'title' : request.sort_field
    return this.table.list(workspace, { ...request, sort_field, searched: ['title'], where })
  }

  /** @throws 404 */
  async get(workspace: Owner, id: string): Promise<Team> {
    const team = await this.table.find(workspace, id)
    if (!team) throw notFound('Team not found')
    return team
  }

  /** Those of the ids that are teams of the workspace. */
  async findMany(workspace: Owner, ids: readonly string[]): Promise<Team[]> {
    return this.table.findMany(workspace, ids)
  }

  /** Whatever the case and accents of the name. */
  async findByName(workspace: Owner, name: string): Promise<Team | null> {
    return this.table.findBy(workspace, { title: name })
  }

  /** @throws 403 at the limit, 409 when the name is taken */
  async create(workspace: Owner, { name }: CreateTeam): Promise<Team> {
    const now = new Date()
    const owner = { id: newId('te'), workspace_id: workspace.id }
    const team: Team = { ...owner, title: name, created_at: now, updated_at: now }
    return refusingDuplicates(name, async () =>
      this.database.transaction(async (tx) => {
        await checkLimit(tx, this.table, workspace, { max: this.limit, what: 'teams' })
        return this.table.in(tx).insert(team)
      }),
    )
  }

  /** @throws 404, 409 when the name is taken */
  async update(workspace: Owner, id: string, { name }: UpdateTeam): Promise<Team> {
    const changes = { ...(name !== undefined && { title: name }), updated_at: new Date() }
    const changed = { ...(await this.get(workspace, id)), ...changes }
    await refusingDuplicates(changed.title, async () => this.table.update(workspace, id, changes))
    return changed
  }

  /** Deletes a team with its memberships. @throws 404 unknown, 409 in use */
  async delete(workspace: Owner, id: string): Promise<Team> {
    const team = await this.get(workspace, id)
    await this.inUse.delete('team', workspace, id, `The team ${team.title}`, async () =>
      this.database.transaction(async (tx) => {
        const table = this.table.in(tx)
        await table.lock(workspace, id)
        for (const release of this.releases) await release(tx, workspace, id)
        await table.delete(workspace, id)
      }),
    )
    return team
  }
}

async function refusingDuplicates<R>(name: string, write: () => Promise<R>): Promise<R> {
  try {
    return await write()
  } catch (error) {
    throw isDuplicate(error) ? conflict(`The team ${name} exists in this workspace already`) : error
  }
}
