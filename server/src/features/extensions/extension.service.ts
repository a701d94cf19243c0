/** Extensions. */
import type { Database } from '../../infrastructure/database/database.js'
import { idsAmong } from '../../infrastructure/database/ids-among.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { type FieldProblem, ValidationError } from '../../infrastructure/http/errors.js'
import type { Page } from '../../infrastructure/http/lists.js'
import { type ResourceRow, ResourceService } from '../../infrastructure/resources/resource-service.js'
import { type Destination, type DestinationId, type Extension, destinationIds } from './extension.entity.js'
import { extensionResource, named, unknownId } from './extension.resource.js'
import type { CreateExtension, ExtensionList, UpdateExtension } from './extension.schema.js'

type Ids = Pick<Extension, DestinationId>

export class ExtensionService extends ResourceService<Extension, CreateExtension, UpdateExtension> {
  constructor(database: Database, max: number) {
    super(extensionResource, { database, max })
  }

  override async list(
    workspace: Owner,
    { destination, agent_id, team_id, sip_account_id, voice_agent_id, ...request }: ExtensionList,
  ): Promise<Page<Extension>> {
    return super.list(workspace, request, {
      ...(destination && { destination }),
      ...(agent_id !== undefined && { agent_id }),
      ...(team_id !== undefined && { team_id }),
      ...(sip_account_id !== undefined && { sip_account_id }),
      ...(voice_agent_id !== undefined && { voice_agent_id }),
    })
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
  override async create(workspace: Owner, input: CreateExtension): Promise<Extension> {
    await this.checkIds(workspace, chosenIds(input.destination, input))
    return super.create(workspace, input)
  }

  /** Another destination replaces the one there was. @throws 400 no such destination, 404, 409 when the number is taken */
  override async update(workspace: Owner, id: string, input: UpdateExtension): Promise<Extension> {
    await this.checkIds(workspace, input)
    return super.update(workspace, id, input)
  }

  protected rowOf(base: ResourceRow, input: CreateExtension): Extension {
    return { ...base, ...input, ...chosenIds(input.destination, input) }
  }

  protected changesOf(input: UpdateExtension, row: Extension): Partial<Extension> {
    return { ...input, ...chosenIds(input.destination ?? row.destination, input, row) }
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
export function chosenIds(destination: Destination, given: Partial<Ids>, before?: Ids): Ids {
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
