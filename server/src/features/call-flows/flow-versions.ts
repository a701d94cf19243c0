/**
 * Versions of flows: what a flow was when a call began. They never change; the last ones are kept, and all that a call
 * runs.
 */
import { isDeepStrictEqual } from 'node:util'
import { Column, Entity, type EntityManager, PrimaryGeneratedColumn } from 'typeorm'
import { currentOrigin } from '../../infrastructure/database/audit.js'
import type { ActorKind } from '../../infrastructure/database/audit-entry.entity.js'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { ListRequest, Page } from '../../infrastructure/http/lists.js'
import type { KeptValues } from '../../lib/kept-values.js'
import { CallFlow, type FlowNode, type TriggerType } from './call-flow.entity.js'

@Entity('call_flow_versions')
export class CallFlowVersion {
  @PrimaryGeneratedColumn({ type: 'bigint', unsigned: true }) id?: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) call_flow_id!: string
  /** Number within its flow, from 1; the newest is the highest. */
  @Column({ type: 'int', unsigned: true }) version!: number
  @Column({ type: 'json' }) nodes!: FlowNode[]
  /** Who made it; null for what was made before that was kept. */
  @Column({ ...asciiId, nullable: true } as never) author_kind!: ActorKind | null
  /** As in the audit log. */
  @Column({ ...asciiId, length: 64, nullable: true } as never) author_id!: string | null
  @Column(timestamp) created_at!: Date
}

/** Versions kept in memory; each may have 200 nodes. */
const maxCached = 200

/** Versions of a flow that are kept, the newest included. */
const storedVersions = 50

/** Versions younger than this are kept: a call may be about to begin with one. */
const youngMs = 3_600_000

/** Versions, of up to 200 nodes each, that one statement of the sweep deletes. */
const deletedAtOnce = 200

type PageRequest = Pick<ListRequest, 'page' | 'limit'>

const listedColumns = ['id', 'call_flow_id', 'version', 'author_kind', 'author_id', 'created_at'] as const

/** What new calls run. */
export interface CurrentVersion {
  readonly versionId: string
  readonly trigger: TriggerType
}

/** A version without its nodes, which may be large. */
export type ListedVersion = Pick<CallFlowVersion, (typeof listedColumns)[number]> & { node_count: number }

export class FlowVersions {
  private readonly cache = new Map<string, readonly FlowNode[]>()

  constructor(
    private readonly database: Database,
    private readonly kept: Pick<KeptValues, 'get'>,
  ) {}

  /**
   * Adds the next version of a flow, unless its nodes are those of the newest. The flow's row is locked, or new.
   *
   * @returns the number of the newest version then
   */
  async add(tx: EntityManager, { id, workspace_id, nodes }: CallFlow, at: Date): Promise<number> {
    const newest = await tx.findOne(CallFlowVersion, {
      where: { call_flow_id: id },
      order: { version: 'DESC' },
    })
    if (newest && isDeepStrictEqual(newest.nodes, nodes)) return newest.version
    const version = (newest?.version ?? 0) + 1
    const { kind, id: authorId } = currentOrigin()
    await tx.insert(CallFlowVersion, {
      ...{ workspace_id, call_flow_id: id, version, nodes },
      ...{ author_kind: kind, author_id: authorId, created_at: at },
    } as never)
    return version
  }

  /** The number of a flow's newest version. */
  async newest(flowId: string, tx = this.database.source.manager): Promise<number> {
    return (await tx.maximum(CallFlowVersion, 'version', { call_flow_id: flowId })) ?? 0
  }

  /** The versions of a flow, newest first. */
  async list(workspace: Owner, flowId: string, { page, limit }: PageRequest): Promise<Page<ListedVersion>> {
    const versions = () =>
      this.database
        .platformTable(CallFlowVersion)
        .createQueryBuilder('version')
        .where('version.call_flow_id = :flowId AND version.workspace_id = :owner', {
          ...{ flowId, owner: workspace.id },
        })
    const [rows, total] = await Promise.all([
      versions()
        .select(listedColumns.map((column) => `version.${column}`))
        .addSelect('JSON_LENGTH(version.nodes)', 'node_count')
        .orderBy('version.version', 'DESC')
        .offset((page - 1) * limit)
        .limit(limit)
        .getRawAndEntities<{ node_count: string | number }>(),
      versions().getCount(),
    ])
    const counts = rows.raw.map(({ node_count }) => Number(node_count))
    return {
      rows: rows.entities.map((entity, index) => ({ ...entity, node_count: counts[index] ?? 0 })),
      total,
    }
  }

  /** Null when it is not kept. */
  async get(workspace: Owner, flowId: string, version: number): Promise<CallFlowVersion | null> {
    return this.database
      .platformTable(CallFlowVersion)
      .findOneBy({ call_flow_id: flowId, workspace_id: workspace.id, version })
  }

  /** The newest version of a flow; null when the workspace has no such flow. */
  async current(workspace: Owner, flowId: string): Promise<CurrentVersion | null> {
    return this.kept.get(workspace.id, `flow ${flowId}`, async () => this.findCurrent(workspace, flowId))
  }

  private async findCurrent(workspace: Owner, flowId: string): Promise<CurrentVersion | null> {
    const row = await this.database
      .platformTable(CallFlow)
      .createQueryBuilder('flow')
      .select('flow.trigger_type', 'trigger')
      .addSelect(
        (newest) =>
          newest
            .select('MAX(version.id)')
            .from(CallFlowVersion, 'version')
            .where('version.call_flow_id = flow.id'),
        'versionId',
      )
      .where('flow.id = :flowId AND flow.workspace_id = :owner', { flowId, owner: workspace.id })
      .getRawOne<{ trigger: TriggerType; versionId: string | number }>()
    return row ? { trigger: row.trigger, versionId: String(row.versionId) } : null
  }

  /** The flow that phones of a workspace reach by a code, with its newest version; null: none. */
  async atDialCode(
    { id }: Owner,
    code: string,
  ): Promise<{ flowId: string; title: string; versionId: string } | null> {
    const [row] = await this.database.source.query<{ flowId: string; title: string; versionId: string }[]>(
      `SELECT flow.id AS flowId, flow.title, CAST(MAX(version.id) AS CHAR) AS versionId
       FROM call_flows flow JOIN call_flow_versions version ON version.call_flow_id = flow.id
       WHERE flow.workspace_id = ? AND flow.dial_code = ? GROUP BY flow.id, flow.title`,
      [id, code],
    )
    return row ?? null
  }

  /** Null when it is no longer there. */
  async nodes(versionId: string): Promise<readonly FlowNode[] | null> {
    const cached = this.cache.get(versionId)
    // Inserted again as the newest, so that the least recently used one is dropped.
    this.cache.delete(versionId)
    const nodes = cached ?? (await this.load(versionId))
    if (!nodes) return null
    this.cache.set(versionId, nodes)
    const [oldest] = this.cache.keys()
    if (this.cache.size > maxCached && oldest !== undefined) this.cache.delete(oldest)
    return nodes
  }

  /** Deletes versions that are not among the last of their flow and that no live call runs. */
  async sweep(): Promise<void> {
    const young = new Date(Date.now() - youngMs)
    for (let deleted = deletedAtOnce; deleted === deletedAtOnce;) {
      const old = await this.database.source.query<{ id: string }[]>(
        `SELECT old.id FROM call_flow_versions old
         JOIN (SELECT call_flow_id, MAX(version) AS version FROM call_flow_versions GROUP BY call_flow_id) newest
           ON newest.call_flow_id = old.call_flow_id
         LEFT JOIN call_flows flow ON flow.id = old.call_flow_id
         LEFT JOIN calls live ON live.live = 1 AND live.call_flow_version_id = old.id
         WHERE old.created_at < ? AND live.id IS NULL AND (old.version + ? <= newest.version OR flow.id IS NULL)
         LIMIT ?`,
        [young, storedVersions, deletedAtOnce],
      )
      deleted = old.length
      if (deleted > 0)
        await this.database.source.query('DELETE FROM call_flow_versions WHERE id IN (?)', [
          old.map(({ id }) => id),
        ])
    }
  }

  private async load(versionId: string): Promise<readonly FlowNode[] | null> {
    const row = await this.database.platformTable(CallFlowVersion).findOneBy({ id: versionId })
    return row?.nodes ?? null
  }
}
