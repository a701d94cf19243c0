/** Call flows: kept, checked, and held while something uses them. */
import type { EntityManager } from 'typeorm'
import type { ActionServices } from '../calls/script/actions/action.js'
import { type Database, isDuplicate, isMissingReference } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import {
  type FieldProblem,
  ValidationError,
  badRequest,
  conflict,
  notFound,
} from '../../infrastructure/http/errors.js'
import { storedNodes } from '../../infrastructure/http/masked-secrets.js'
import type { ListRequest, Page } from '../../infrastructure/http/lists.js'
import type { WorkspaceNumbers } from '../phone-numbers/workspace-numbers.js'
import type { InUse } from '../../infrastructure/resources/in-use.js'
import { actorNames } from '../workspaces/actor-names.js'
import { ResourceRows } from '../../infrastructure/resources/resource-rows.js'
import type { CallFlow, FlowNode, FlowUse, NumberedFlow, TriggerType } from './call-flow.entity.js'
import { callFlowResource } from './call-flow.resource.js'
import type { CreateCallFlow, FlowNodeInput, PublishFlowDraft, UpdateCallFlow } from './call-flow.schema.js'
import { checkFlow } from './flow-check.js'
import type { FlowDrafts } from './flow-drafts.js'
import { numbersOfFlows } from './flow-uses.js'
import type { CallFlowVersion, FlowVersions, ListedVersion } from './flow-versions.js'
import { FlowReferences } from './references.js'

interface CallFlowList extends ListRequest {
  trigger_type?: TriggerType
}

interface Options {
  database: Database
  inUse: InUse
  max: number
  actions: ActionServices
  numbers: WorkspaceNumbers
  versions: FlowVersions
  drafts: FlowDrafts
}

const columns = [
  ...(['id', 'workspace_id', 'title', 'trigger_type', 'dial_code'] as const),
  ...(['created_at', 'updated_at'] as const),
] as const

export class CallFlowService extends ResourceRows<CallFlow> {
  private readonly references: FlowReferences

  constructor(private readonly options: Options) {
    const { database, inUse, numbers } = options
    super(callFlowResource, { database, inUse, max: options.max })
    this.references = new FlowReferences(database, numbers)
    for (const kind of ['audio', 'outbound_gateway'] as const) {
      inUse.register(kind, async (workspace, id) => this.references.flowsNaming(workspace, kind, id))
    }
  }

  /** Flows without their nodes. */
  override async list(
    workspace: Owner,
    { trigger_type, ...request }: CallFlowList,
  ): Promise<Page<CallFlow & FlowUse>> {
    const { rows, total } = await this.table.list(workspace, {
      ...request,
      searched: ['title'],
      columns,
      ...(trigger_type && { where: { trigger_type } }),
    })
    return { rows: await this.withUse(workspace, rows), total }
  }

  /** @throws 404 */
  async numbered(workspace: Owner, id: string): Promise<NumberedFlow> {
    // Asked for first: at worst the nodes are newer than the version says, and a change of them is refused.
    const version = await this.options.versions.newest(id)
    return this.used(workspace, { ...(await this.get(workspace, id)), version })
  }

  /** @throws 400 with all that is wrong with the nodes, 403 at the limit, 409 when the dial code is taken */
  async create(workspace: Owner, input: CreateCallFlow): Promise<NumberedFlow> {
    const { nodes, references } = await this.check(workspace, storedNodes(input.nodes, []))
    const now = new Date()
    const flow: CallFlow = {
      id: newId('cf'),
      workspace_id: workspace.id,
      title: input.title,
      trigger_type: input.trigger_type,
      nodes,
      dial_code: input.dial_code ?? null,
      created_at: now,
      updated_at: now,
    }
    return this.writing(async (tx) => {
      await this.table.in(tx).insert(flow)
      const version = await this.options.versions.add(tx, flow, now)
      await this.references.replace(tx, flow, references)
      await this.checkLimit(tx, workspace)
      return { ...flow, version, phone_numbers: [], has_draft: false }
    })
  }

  /**
   * @throws 400 with all that is wrong with the nodes, 404, 409 when the trigger of a flow in use changes, the dial code is
   *   taken, or the nodes were made from an older version
   * @param within what else the transaction does
   */
  async update(
    workspace: Owner,
    id: string,
    input: UpdateCallFlow,
    within?: (tx: EntityManager) => Promise<void>,
  ): Promise<NumberedFlow> {
    const stored = await this.get(workspace, id)
    const checked = input.nodes && (await this.check(workspace, storedNodes(input.nodes, stored.nodes)))
    const { nodes: _unchecked, base_version: base, ...fields } = input
    const changes = { ...fields, ...(checked && { nodes: checked.nodes }), updated_at: new Date() }
    const written = await this.writing(async (tx) => {
      const flow = await this.table.in(tx).lock(workspace, id)
      if (!flow) throw this.unknown(id)
      if (input.trigger_type && input.trigger_type !== flow.trigger_type) {
        const subject = `The trigger of the call flow ${flow.title}`
        await this.options.inUse.refuse('call_flow', workspace, id, subject, tx)
      }
      const newest = await this.options.versions.newest(id, tx)
      if (checked && base !== undefined && base !== newest) {
        throw conflict(`The call flow ${flow.title} is at version ${newest} by now, not ${base}`)
      }
      const changed = { ...flow, ...changes }
      await this.table.in(tx).update(workspace, id, changes)
      if (!checked) return { ...changed, version: newest }
      const version = await this.options.versions.add(tx, changed, changes.updated_at)
      await this.references.replace(tx, flow, checked.references)
      await within?.(tx)
      return { ...changed, version }
    })
    return this.used(workspace, written)
  }

  /**
   * Makes the draft the newest version.
   *
   * @throws 400 with all that is wrong with its nodes, 404 without a draft, 409 when the draft has another revision, or the
   *   flow a newer version than the draft was made from
   */
  async publish(
    workspace: Owner,
    id: string,
    { revision, overwrite = false }: PublishFlowDraft,
  ): Promise<NumberedFlow> {
    const { drafts } = this.options
    const draft = await drafts.get(workspace, id)
    if (revision !== undefined && revision !== draft.revision) {
      throw conflict('The draft has been changed meanwhile')
    }
    const changes = { nodes: draft.nodes, ...(!overwrite && { base_version: draft.base_version }) }
    return this.update(workspace, id, changes, async (tx) => drafts.published(tx, draft))
  }

  /** @throws 404, 409 while something uses it */
  override async delete(workspace: Owner, id: string): Promise<NumberedFlow> {
    const flow = await this.numbered(workspace, id)
    await super.delete(workspace, id)
    return flow
  }

  /** The versions that are kept, newest first. @throws 404 */
  async listVersions(
    workspace: Owner,
    id: string,
    request: Pick<ListRequest, 'page' | 'limit'>,
  ): Promise<Page<ListedVersion>> {
    await this.mustExist(workspace, id)
    return this.options.versions.list(workspace, id, request)
  }

  /** @throws 404 */
  async getVersion(workspace: Owner, id: string, version: number): Promise<CallFlowVersion> {
    await this.mustExist(workspace, id)
    const found = await this.options.versions.get(workspace, id, version)
    if (!found) throw notFound(`Call flow ${id} has no version ${version}`)
    return found
  }

  /** Names of the authors of some versions, by their ids. */
  async authorNames(
    versions: readonly Pick<CallFlowVersion, 'author_kind' | 'author_id'>[],
  ): Promise<ReadonlyMap<string, string>> {
    return actorNames(
      this.database,
      versions.map(({ author_kind: kind, author_id: id }) => ({ kind, id })),
    )
  }

  /** All that is wrong with nodes which nothing keeps. */
  async problemsOf(workspace: Owner, nodes: readonly FlowNodeInput[]): Promise<readonly FieldProblem[]> {
    try {
      await this.check(workspace, nodes)
      return []
    } catch (error) {
      if (error instanceof ValidationError) return error.errors
      throw error
    }
  }

  /** Nodes as a flow would have them. @throws 400 with all that is wrong with them */
  async checkedNodes(workspace: Owner, nodes: readonly FlowNodeInput[]): Promise<FlowNode[]> {
    return (await this.check(workspace, nodes)).nodes
  }

  /** Removes the references that protect other rows, when a workspace is being deleted. */
  async deleteReferences(tx: EntityManager, workspace: Owner): Promise<void> {
    await this.references.deleteAll(tx, workspace)
  }

  private async used<Flow extends CallFlow>(workspace: Owner, flow: Flow): Promise<Flow & FlowUse> {
    const [used] = await this.withUse(workspace, [flow])
    return used ?? { ...flow, phone_numbers: [], has_draft: false }
  }

  private async withUse<Flow extends CallFlow>(
    workspace: Owner,
    flows: readonly Flow[],
  ): Promise<(Flow & FlowUse)[]> {
    const ids = flows.map(({ id }) => id)
    const [numbers, drafts] = await Promise.all([
      numbersOfFlows(this.database, workspace, ids),
      this.options.drafts.among(workspace, ids),
    ])
    return flows.map((flow) => ({
      ...flow,
      phone_numbers: numbers.get(flow.id) ?? [],
      has_draft: drafts.has(flow.id),
    }))
  }

  private async mustExist(workspace: Owner, id: string): Promise<void> {
    if (!(await this.table.has(workspace, id))) throw this.unknown(id)
  }

  private async check(workspace: Owner, nodes: readonly FlowNodeInput[]) {
    return checkFlow(workspace, nodes, this.options.actions, this.references)
  }

  private async writing<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(work)
    } catch (error) {
      if (isDuplicate(error)) throw conflict('Another call flow of this workspace has this dial_code')
      if (!isMissingReference(error)) throw error
      throw badRequest('Something that the flow names has just been deleted')
    }
  }
}
