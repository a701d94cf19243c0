/** Extensions. */
import type { EntityManager } from 'typeorm'
import { type Database, isDuplicate, isMissingReference } from '../database/database.js'
import { newId } from '../database/ids.js'
import { idsAmong } from '../database/ids-among.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import { type FieldProblem, ValidationError, conflict, invalidField, notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import { checkLimit } from '../workspaces/limits.js'
import { type Destination, type DestinationId, Extension, destinationIds } from './extension.entity.js'
import type { CreateExtension, UpdateExtension } from './extension.schema.js'

type Ids = Pick<Extension, DestinationId>

/** What each id names: its kind, its table, and what it is called where the id is wrong. */
const named = {
  agent_id: { table: 'agents', noun: 'an agent' },
  team_id: { table: 'teams', noun: 'a team' },
  sip_account_id: { table: 'sip_accounts', noun: 'a SIP account' },
  voice_agent_id: { table: 'voice_agents', noun: 'a voice agent' },
} as const satisfies Record<DestinationId, object>

export class ExtensionService {
  private readonly table: WorkspaceTable<Extension>

  constructor(
    private readonly database: Database,
    private readonly limit: number,
  ) {
    this.table = new WorkspaceTable(database, Extension, { audited: 'extension' })
  }

  async list(workspace: Owner, request: ListRequest): Promise<Page<Extension>> {
    return this.table.list(workspace, { ...request, searched: ['title', 'extension_number'] })
  }

  /** @throws 404 */
  async get(workspace: Owner, id: string): Promise<Extension> {
    const extension = await this.table.find(workspace, id)
    if (!extension) throw notFound(`Extension ${id} not found`)
    return extension
  }

  async find(workspace: Owner, id: string): Promise<Extension | null> {
    return this.table.find(workspace, id)
  }

  async findByNumber(workspace: Owner, extension_number: string): Promise<Extension | null> {
    return this.table.findBy(workspace, { extension_number })
  }

  /** What others dial to reach a destination: its oldest extension, or null. */
  async findOf(
    workspace: Owner,
    destination: { sip_account_id: string } | { agent_id: string },
  ): Promise<Extension | null> {
    const [oldest] = await this.table.findAll(workspace, destination, 1)
    return oldest ?? null
  }

  /** @throws 400 no such destination, 403 at the limit, 409 when the number is taken */
  async create(workspace: Owner, input: CreateExtension): Promise<Extension> {
    const ids = chosenIds(input.destination, input)
    await this.checkIds(workspace, ids)
    const { title, extension_number, destination } = input
    const now = new Date()
    const row: Extension = {
      id: newId('ex'),
      workspace_id: workspace.id,
      ...{ extension_number, title, destination, ...ids },
      created_at: now,
      updated_at: now,
    }
    await this.database.transaction(async (tx) => {
      await checkLimit(tx, this.table, workspace, { max: this.limit, what: 'extensions' })
      await refusing(row, async () => this.table.in(tx).insert(row))
    })
    return row
  }

  /** Another destination replaces the one there was. @throws 400 no such destination, 404, 409 when the number is taken */
  async update(workspace: Owner, id: string, input: UpdateExtension): Promise<Extension> {
    await this.checkIds(workspace, input)
    return this.database.transaction(async (tx) => {
      const extensions = this.table.in(tx)
      const extension = await extensions.lock(workspace, id)
      if (!extension) throw notFound(`Extension ${id} not found`)
      const destination = input.destination ?? extension.destination
      const changes = { ...input, ...chosenIds(destination, input, extension), updated_at: new Date() }
      const changed: Extension = { ...extension, ...changes }
      await refusing(changed, async () => extensions.update(workspace, id, changes))
      return changed
    })
  }

  /** Deletes an extension, even if flows name it: their calls continue as with an unknown extension. @throws 404 */
  async delete(workspace: Owner, id: string): Promise<Extension> {
    const extension = await this.get(workspace, id)
    await this.table.delete(workspace, id)
    return extension
  }

  /** Deletes all extensions of a workspace that is being deleted. */
  async deleteAll(tx: EntityManager, workspace: Owner): Promise<void> {
    await this.table.in(tx).deleteAll(workspace)
  }

  /** @throws 400 naming each id that is not the workspace's */
  private async checkIds(workspace: Owner, ids: Partial<Ids>): Promise<void> {
    for (const field of Object.values(destinationIds)) {
      const id = ids[field]
      if (!id) continue
      const known = await idsAmong(this.database, named[field].table, workspace, [id])
      if (!known.has(id)) throw unknownId(field)
    }
  }
}

/**
 * The ids of an extension: that of its destination, and null for the others.
 * @param before what it led to, kept where the caller names nothing else
 * @throws 400 without the id of the destination, or with that of another
 */
function chosenIds(destination: Destination, given: Partial<Ids>, before?: Ids): Ids {
  const chosen = destinationIds[destination]
  const id = given[chosen] === undefined ? before?.[chosen] : given[chosen]
  const problems: FieldProblem[] = Object.values(destinationIds)
    .filter((field) => field !== chosen && given[field])
    .map((field) => ({ field, messages: [`${field} does not go with the destination ${destination}`] }))
  if (!id) {
    problems.unshift({
      field: chosen,
      messages: [`${chosen} is required when destination is ${destination}`],
    })
  }
  if (!id || problems.length > 0) throw new ValidationError(problems)
  return { agent_id: null, team_id: null, sip_account_id: null, voice_agent_id: null, [chosen]: id }
}

function unknownId(field: DestinationId) {
  return invalidField(field, `${field} is not ${named[field].noun} of this workspace`)
}

/** Maps a taken number, and a destination that has just been deleted, to errors that say so. */
async function refusing(row: Extension, write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (isDuplicate(error)) {
      throw conflict(`The extension ${row.extension_number} exists in this workspace already`)
    }
    throw isMissingReference(error) ? unknownId(destinationIds[row.destination]) : error
  }
}
