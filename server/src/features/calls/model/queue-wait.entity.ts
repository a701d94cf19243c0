import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../../infrastructure/database/columns.js'

/** How a wait in a queue ended; `left`: the caller hung up, or another script took over. */
export const waitResults = ['answered', 'timed_out', 'no_members', 'left'] as const
export type WaitResult = (typeof waitResults)[number]

/** A caller's stay in the queue of a team; kept when it is over. */
@Entity('queue_waits')
export class QueueWait {
  @PrimaryColumn(asciiId) call_id!: string
  @PrimaryColumn(asciiId) team_id!: string
  @PrimaryColumn({ type: 'datetime', precision: 3 }) entered_at!: Date
  @Column(asciiId) workspace_id!: string
  @Column({ ...timestamp, nullable: true }) left_at!: Date | null
  @Column({ ...asciiId, nullable: true } as never) result!: WaitResult | null
}
