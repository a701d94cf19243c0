import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, timestamp } from '../../infrastructure/database/columns.js'

/** A customer’s URL that gets events. */
@Entity('webhooks')
export class Webhook {
  /** `wh_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 64 }) title!: string
  @Column({ type: 'varchar', length: 2048 }) url!: string
  /** A JSON object of texts that are sent with each delivery, encrypted: they carry credentials. Null without any. */
  @Column({ type: 'mediumtext', charset: 'ascii', collation: 'ascii_bin', nullable: true })
  headers!: string | null
  /** Names of events; `*` alone for all. */
  @Column({ type: 'json' }) events!: string[]
  /** Encrypted. */
  @Column({ type: 'varchar', length: 255, charset: 'ascii', collation: 'ascii_bin' }) secret!: string
  /** The secret before this one, which signs too until then; encrypted. */
  @Column({ type: 'varchar', length: 255, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  previous_secret!: string | null
  @Column({ ...timestamp, nullable: true }) previous_secret_until!: Date | null
  @Column(flag) is_active!: boolean
  /** Why the platform switched it off; null when it did not. */
  @Column({ type: 'varchar', length: 255, nullable: true }) disabled_reason!: string | null
  /** When the first of the attempts failed that have all failed since; null after a success. */
  @Column({ ...timestamp, nullable: true }) failing_since!: Date | null
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
