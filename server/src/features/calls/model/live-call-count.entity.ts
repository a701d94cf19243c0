import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId } from '../../../infrastructure/database/columns.js'

/** Number of live calls of a workspace, updated in the transactions that start and end calls. */
@Entity('live_call_counts')
export class LiveCallCount {
  @PrimaryColumn(asciiId) workspace_id!: string
  @Column({ type: 'int', unsigned: true }) live_calls!: number
}
