import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/** `failed`: no attempt succeeded, and none follows unless it is resent. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** What one attempt of a delivery came to. */
export interface LoggedAttempt {
  attempted_at: string
  duration_ms: number
  response_status: number | null
  error: string | null
  /** The header `Jackfield-Signature` as it was sent. */
  signature: string
  /** `Jackfield-Previous-Signature` and `webhook-signature`; attempts of earlier versions have neither. */
  previous?: string | undefined
  standard?: string
}

/** One event for one webhook, with what its last attempt came to. */
@Entity('webhook_deliveries')
export class WebhookDelivery {
  /** `whd_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) webhook_id!: string
  @Column(asciiId) event_id!: string
  @Column(asciiId) event!: string
  /** What is posted and signed, byte by byte. */
  @Column({ type: 'mediumtext' }) body!: string
  @Column(asciiId) status!: DeliveryStatus
  @Column({ type: 'int', unsigned: true }) attempts!: number
  @Column({ ...timestamp, nullable: true }) attempted_at!: Date | null
  @Column({ ...timestamp, nullable: true }) next_attempt_at!: Date | null
  @Column({ type: 'int', unsigned: true, nullable: true }) duration_ms!: number | null
  @Column({ type: 'smallint', unsigned: true, nullable: true }) response_status!: number | null
  /** Its beginning. */
  @Column({ type: 'text', nullable: true }) response_body!: string | null
  @Column({ type: 'varchar', length: 255, nullable: true }) error!: string | null
  /** The latest attempts, oldest first; null before the first one. */
  @Column({ type: 'json', nullable: true }) attempt_log!: LoggedAttempt[] | null
  @Column(timestamp) created_at!: Date
}

/** A delivery that waits for its next attempt, or is being attempted. */
@Entity('webhook_queue')
export class QueuedDelivery {
  @PrimaryColumn(asciiId) delivery_id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) webhook_id!: string
  /** When it may be claimed: at once, after a pause, or at the end of a lease. */
  @Column(timestamp) due_at!: Date
  /** The attempt at or after this time is the last. */
  @Column(timestamp) give_up_at!: Date
  /** Since it was made or resent. */
  @Column({ type: 'int', unsigned: true }) retries!: number
  /** Who holds the lease. */
  @Column({ ...asciiId, nullable: true } as never) claim!: string | null
}
