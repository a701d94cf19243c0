import { Column, Entity, PrimaryColumn } from 'typeorm'
import type { CarrierKind } from '../../../adapters/sms/kinds/index.js'
import type { LinkHealth } from '../../../adapters/sms/link.js'
import { asciiId, flag, timestamp, word } from '../../../infrastructure/database/columns.js'

/** An SMS carrier: takes our messages to handsets, and delivers theirs to us. */
@Entity('carriers')
export class Carrier {
  /** `car_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column({ type: 'varchar', length: 64 }) title!: string
  @Column(word) kind!: CarrierKind
  /** The visible settings, in the shape of the kind. */
  @Column({ type: 'json' }) settings!: Readonly<Record<string, unknown>>
  /** The rest of the settings: JSON, sealed. */
  @Column({ type: 'text', charset: 'ascii', collation: 'ascii_bin' }) secrets!: string
  /** An inactive carrier sends nothing and receives nothing. */
  @Column(flag) is_active!: boolean
  /** Submissions that may be without an answer at once. */
  @Column({ type: 'int', unsigned: true }) window_size!: number
  /** Segments a second, at most. */
  @Column({ type: 'int', unsigned: true }) throughput!: number
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}

/** Which server has a carrier's link, and what it says of it. */
@Entity('carrier_leases')
export class CarrierLease {
  @PrimaryColumn(asciiId) carrier_id!: string
  @Column(asciiId) server_id!: string
  /** By the clock of the database. */
  @Column(timestamp) leased_until!: Date
  /** A {@link LinkHealth}, whose date is text. */
  @Column({ type: 'json' }) health!: Omit<LinkHealth, 'since'> & { since: string }
}
