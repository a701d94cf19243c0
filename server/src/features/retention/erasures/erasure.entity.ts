import { Column, Entity, PrimaryColumn } from 'typeorm'
import type { ActorKind } from '../../../infrastructure/database/audit-entry.entity.js'
import { asciiId, timestamp } from '../../../infrastructure/database/columns.js'

/** `waiting`: all is deleted but what is under way; it continues when that is over. */
export type ErasureStatus = 'pending' | 'running' | 'waiting' | 'completed'

/** A request to delete all data of a person. */
@Entity('erasures')
export class Erasure {
  /** `ers_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) status!: ErasureStatus
  /** The numbers or the client, all but a few characters hidden. */
  @Column({ type: 'varchar', length: 254 }) label!: string
  /** Digits with the country calling code; null when it is completed. */
  @Column({ type: 'json', nullable: true }) numbers!: string[] | null
  /** The `sub` of users of customers' apps; null when it is completed, and of erasures from before there were any. */
  @Column({ type: 'json', nullable: true }) clients!: string[] | null
  /** Ids of contacts that were deleted; null when it is completed. */
  @Column({ type: 'json', nullable: true }) contacts!: string[] | null
  /** How many rows were deleted, by table. */
  @Column({ type: 'json' }) deleted!: Record<string, number>
  /** How many are under way and not deleted yet, by table. */
  @Column({ type: 'json' }) waiting_for!: Record<string, number>
  @Column(asciiId) requested_by_kind!: ActorKind
  @Column({ ...asciiId, length: 64, nullable: true } as never) requested_by_id!: string | null
  @Column(timestamp) created_at!: Date
  @Column({ ...timestamp, nullable: true }) started_at!: Date | null
  @Column({ ...timestamp, nullable: true }) ended_at!: Date | null
}
