import { Column, Entity, Index, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../database/columns.js'

/** An agent whom a cell rings, or who has a call there that rang them: no other cell rings them meanwhile. */
@Entity('agent_claims')
export class AgentClaim {
  @PrimaryColumn(asciiId) agent_id!: string
  @Index()
  @Column({ type: 'varchar', length: 32, charset: 'ascii', collation: 'ascii_bin' })
  cell!: string
  @Column(asciiId) call_id!: string
  @Column(timestamp) claimed_at!: Date
}
