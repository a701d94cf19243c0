import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../database/columns.js'

/** An agent who is logged in on a device. Logging out, or the theft of its refresh token, removes the row. */
@Entity('agent_sessions')
export class AgentSession {
  /** `ses_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) agent_id!: string
  /** As the app named its device. */
  @Column({ type: 'varchar', length: 128 }) device_id!: string
  /** The one refresh token that may be used next. */
  @Column(asciiId) refresh_id!: string
  @Column(timestamp) created_at!: Date
  @Column(timestamp) refreshed_at!: Date
  @Column(timestamp) expires_at!: Date
}
