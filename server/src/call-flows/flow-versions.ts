/** Versions of flows: what a flow was when a call began. They never change, and are kept while a call runs them. */
import { Column, Entity, type EntityManager, PrimaryGeneratedColumn } from 'typeorm'
import { asciiId, timestamp } from '../database/columns.js'
import type { Database } from '../database/database.js'
import type { Owner } from '../database/workspace-table.js'
import { CallFlow, type FlowNode, type TriggerType } from './call-flow.entity.js'

@Entity('call_flow_versions')
export class CallFlowVersion {
  @PrimaryGeneratedColumn({ type: 'bigint', unsigned: true }) id?: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) call_flow_id!: string
  @Column({ type: 'json' }) nodes!: FlowNode[]
  @Column(timestamp) created_at!: Date
}

/** Versions kept in memory; each may have 200 nodes. */
const maxCached = 200

/** Versions younger than this are kept: a call may be about to begin with one. */
const youngMs = 3_600_000

export class FlowVersions {
  private readonly cache = new Map<string, readonly FlowNode[]>()

  constructor(private readonly database: Database) {}

  async add(tx: EntityManager, { id, workspace_id, nodes }: CallFlow, at: Date): Promise<void> {
    await tx.insert(CallFlowVersion, { workspace_id, call_flow_id: id, nodes, created_at: at } as never)
  }

  /** The newest version of a flow; null when the workspace has no such flow. */
  async current(
    workspace: Owner,
    flowId: string,
  ): Promise<{ versionId: string; trigger: TriggerType } | null> {
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

  /** Null when it is no longer there. */
  async nodes(versionId: string): Promise<readonly FlowNode[] | null> {
    const cached = this.cache.get(versionId)
    // Put back as the newest: the one that was not used for longest is dropped.
    this.cache.delete(versionId)
    const nodes = cached ?? (await this.load(versionId))
    if (!nodes) return null
    this.cache.set(versionId, nodes)
    const [oldest] = this.cache.keys()
    if (this.cache.size > maxCached && oldest !== undefined) this.cache.delete(oldest)
    return nodes
  }

  /** Deletes versions that are not the newest of their flow and that no live call runs. */
  async sweep(): Promise<void> {
    await this.database.source.query(
      `DELETE old FROM call_flow_versions old
       LEFT JOIN (SELECT call_flow_id, MAX(id) AS id FROM call_flow_versions GROUP BY call_flow_id) newest
         ON newest.id = old.id
       LEFT JOIN call_flows flow ON flow.id = old.call_flow_id
       LEFT JOIN calls live ON live.live = 1 AND live.call_flow_version_id = old.id
       WHERE old.created_at < ? AND live.id IS NULL AND (newest.id IS NULL OR flow.id IS NULL)`,
      [new Date(Date.now() - youngMs)],
    )
  }

  private async load(versionId: string): Promise<readonly FlowNode[] | null> {
    const row = await this.database.platformTable(CallFlowVersion).findOneBy({ id: versionId })
    return row?.nodes ?? null
  }
}
