import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId } from '../database/columns.js'

/** How many calls of a workspace live: changed in the transactions that begin and end calls. */
@Entity('live_call_counts')
export class LiveCallCount {
  @PrimaryColumn(asciiId) workspace_id!: string
  @Column({ type: 'int', unsigned: true }) live_calls!: number
}
