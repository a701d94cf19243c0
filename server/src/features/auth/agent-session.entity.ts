import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/** An agent's log-in on a device. Logging out, or the theft of its refresh token, removes the row. */
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
  /** The refresh token that was used last. */
  @Column({ ...asciiId, nullable: true }) used_refresh_id!: string | null
  /** SHA-256 of the `Idempotency-Key` that it was used with. */
  @Column({ type: 'char', length: 64, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  used_with!: string | null
  @Column(timestamp) created_at!: Date
  @Column(timestamp) refreshed_at!: Date
  @Column(timestamp) expires_at!: Date
}
