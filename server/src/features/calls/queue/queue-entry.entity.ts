import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, timestamp } from '../../../infrastructure/database/columns.js'

/** A caller who waits for a team. */
@Entity('queue_entries')
export class QueueEntry {
  @PrimaryColumn(asciiId) call_id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) team_id!: string
  /** First come, first served; at the same moment, the lower call id. */
  @Column(timestamp) entered_at!: Date
  /** Whether members are being rung for the caller; written only where there are several cells. */
  @Column({ ...flag, default: false }) is_offered!: boolean
}
