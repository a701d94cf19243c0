import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/** An agent's link to set a password. A new one replaces it; a password that is set, or revoking it, removes the row. */
@Entity('agent_invitations')
export class AgentInvitation {
  @PrimaryColumn(asciiId) agent_id!: string
  @Column(asciiId) workspace_id!: string
  /** `inv_…`: the link's token names it. The token itself is stored nowhere. */
  @Column(asciiId) id!: string
  @Column(timestamp) created_at!: Date
  @Column(timestamp) expires_at!: Date
}
