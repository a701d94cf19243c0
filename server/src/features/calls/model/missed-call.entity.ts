import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../../infrastructure/database/columns.js'

/** A call that agents were to take and did not: the caller waits to be called back. */
@Entity('missed_calls')
export class MissedCall {
  @PrimaryColumn(asciiId) call_id!: string
  @Column(asciiId) workspace_id!: string
  /** The caller's. */
  @Column({ type: 'varchar', length: 80 }) number!: string
  /** The team that was to take it; null if it was for an agent alone. */
  @Column({ ...asciiId, nullable: true } as never) team_id!: string | null
  @Column(timestamp) created_at!: Date
  /** When an agent talked to the caller later, or marked it as done; null before. */
  @Column({ ...timestamp, nullable: true }) handled_at!: Date | null
  /** The agent who did. */
  @Column({ ...asciiId, nullable: true } as never) handled_by!: string | null
}
