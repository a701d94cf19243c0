import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from './columns.js'

export type ActorKind = 'operator' | 'api_key' | 'agent' | 'client' | 'system'

/** One field's value before and after; the side that did not exist is left out. */
export interface FieldChange {
  from?: unknown
  to?: unknown
}

/** A change that a person, a key or the platform itself made. */
@Entity('audit_log')
export class AuditEntry {
  /** `log_…` */
  @PrimaryColumn(asciiId) id!: string
  /** Null for what the operator does outside of any workspace. */
  @Column({ ...asciiId, nullable: true } as never) workspace_id!: string | null
  @Column(asciiId) actor_kind!: ActorKind
  /** An API key's sid, an agent's id or a client's `sub`. */
  @Column({ ...asciiId, length: 64, nullable: true } as never) actor_id!: string | null
  /** `<noun>.<verb>`, for example `agent.update`. */
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' }) action!: string
  @Column(asciiId) target_type!: string
  @Column(asciiId) target_id!: string
  @Column({ type: 'varchar', length: 254, nullable: true }) target_name!: string | null
  @Column({ type: 'json' }) changes!: Record<string, FieldChange>
  @Column({ type: 'varchar', length: 45, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  ip!: string | null
  @Column({ ...asciiId, nullable: true } as never) request_id!: string | null
  @Column(timestamp) created_at!: Date
}
