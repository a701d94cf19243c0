import { Column, Entity, Index, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../../infrastructure/database/columns.js'

/**
 * Reserves an agent for a cell that rings them, or has them in a call that rang them. Other cells do not ring them
 * meanwhile.
 */
@Entity('agent_claims')
export class AgentClaim {
  @PrimaryColumn(asciiId) agent_id!: string
  @Index()
  @Column({ type: 'varchar', length: 32, charset: 'ascii', collation: 'ascii_bin' })
  cell!: string
  @Column(asciiId) call_id!: string
  @Column(timestamp) claimed_at!: Date
}
