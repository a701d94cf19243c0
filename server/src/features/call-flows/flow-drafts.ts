/** Drafts of flows: steps that may be incomplete and that no call runs, until they are published as a version. */
import { randomInt } from 'node:crypto'
import { Column, Entity, type EntityManager, In, PrimaryColumn } from 'typeorm'
import { currentOrigin } from '../../infrastructure/database/audit.js'
import type { ActorKind } from '../../infrastructure/database/audit-entry.entity.js'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { conflict, invalidField, notFound } from '../../infrastructure/http/errors.js'
import { storedNodes } from '../../infrastructure/http/masked-secrets.js'
import { CallFlow, type FlowNode } from './call-flow.entity.js'
import type { FlowNodeInput, PutFlowDraft } from './call-flow.schema.js'
import type { FlowVersions } from './flow-versions.js'

@Entity('call_flow_drafts')
export class CallFlowDraft {
  @PrimaryColumn(asciiId) call_flow_id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'json' }) nodes!: FlowNode[]
  /** The version that the draft was made from. */
  @Column({ type: 'int', unsigned: true }) base_version!: number
  /** Changes with each save, so that one is not overwritten unseen. */
  @Column({ type: 'int', unsigned: true }) revision!: number
  @Column(asciiId) author_kind!: ActorKind
  /** As in the audit log. */
  @Column({ ...asciiId, length: 64, nullable: true } as never) author_id!: string | null
  @Column(timestamp) updated_at!: Date
}

/** First revisions are below it: there is room above for as many saves as anybody makes. */
const highestFirstRevision = 2 ** 30

export class FlowDrafts {
  constructor(
    private readonly database: Database,
    private readonly versions: FlowVersions,
  ) {}

  /** @throws 404 when the flow has no draft */
  async get(workspace: Owner, flowId: string): Promise<CallFlowDraft> {
    const draft = await this.find(workspace, flowId)
    if (!draft) throw notFound(`Call flow ${flowId} has no draft`)
    return draft
  }

  /** The flows among these that have a draft. */
  async among(workspace: Owner, flowIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (flowIds.length === 0) return new Set()
    const rows = await this.database.platformTable(CallFlowDraft).find({
      select: { call_flow_id: true },
      where: { workspace_id: workspace.id, call_flow_id: In([...flowIds]) },
    })
    return new Set(rows.map(({ call_flow_id }) => call_flow_id))
  }

  /**
   * Stores the draft in place of the one before.
   * @throws 404 without such a flow, 409 when the draft has another revision than the given one
   */
  async put(workspace: Owner, flowId: string, input: PutFlowDraft): Promise<CallFlowDraft> {
    const malformed = malformedIn(input.nodes, 'nodes')
    if (malformed !== null) throw invalidField(malformed, `${malformed} must be a well-formed text`)
    return this.database.transaction(async (tx) => {
      const flow = await tx.findOne(CallFlow, {
        where: { id: flowId, workspace_id: workspace.id },
        lock: { mode: 'pessimistic_write' },
      })
      if (!flow) throw notFound(`Call flow ${flowId} not found`)
      const before = await this.find(workspace, flowId, tx)
      const expected = input.revision
      if (expected !== undefined && expected !== (before?.revision ?? 0)) {
        throw conflict(`The draft of the call flow ${flow.title} has been changed or removed meanwhile`)
      }
      const { kind, id: author_id } = currentOrigin()
      const draft: CallFlowDraft = {
        ...{ call_flow_id: flowId, workspace_id: workspace.id },
        nodes: storedNodes(input.nodes, before?.nodes ?? flow.nodes).map(asStored),
        base_version: input.base_version ?? before?.base_version ?? (await this.versions.newest(flowId, tx)),
        // A random first one: the revision of a draft that is gone never fits the next draft.
        revision: before ? before.revision + 1 : randomInt(1, highestFirstRevision),
        ...{ author_kind: kind, author_id, updated_at: new Date() },
      }
      await tx.save(CallFlowDraft, draft)
      return draft
    })
  }

  /** @throws 404 when the flow has no draft */
  async delete(workspace: Owner, flowId: string): Promise<void> {
    const { affected } = await this.database
      .platformTable(CallFlowDraft)
      .delete({ workspace_id: workspace.id, call_flow_id: flowId })
    if (!affected) throw notFound(`Call flow ${flowId} has no draft`)
  }

  /** Removes a draft that becomes a version, in the same transaction. @throws 409 when it has changed meanwhile */
  async published(tx: EntityManager, { call_flow_id, revision }: CallFlowDraft): Promise<void> {
    const { affected } = await tx.delete(CallFlowDraft, { call_flow_id, revision })
    if (!affected) throw conflict('The draft has been changed meanwhile')
  }

  private async find(
    workspace: Owner,
    flowId: string,
    tx = this.database.source.manager,
  ): Promise<CallFlowDraft | null> {
    return tx.findOneBy(CallFlowDraft, { workspace_id: workspace.id, call_flow_id: flowId })
  }
}

const isHalved = (text: string) => /\p{Surrogate}/u.test(text)

/** The place of a text with half a surrogate pair, which no JSON column takes; null: none. */
function malformedIn(value: unknown, place: string): string | null {
  if (typeof value === 'string') return isHalved(value) ? place : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, part] of Object.entries(value)) {
    if (isHalved(name)) return place
    const found = malformedIn(part, `${place}.${name}`)
    if (found !== null) return found
  }
  return null
}

/** All fields are there, so that editors need not distinguish drafts from versions. */
function asStored({ id, type, params = {}, next = {}, position }: FlowNodeInput): FlowNode {
  return { id, type, params, next, ...(position && { position }) }
}
