import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../database/columns.js'

/**
 * What is told: that so much of what may be spent in an hour or a day is spent, and that calls were refused unusually
 * often by one of the limits against toll fraud.
 */
export const alertKinds = [
  ...(['spend_per_hour_80', 'spend_per_hour_100', 'spend_per_day_80', 'spend_per_day_100'] as const),
  ...(['calls_refused_concurrent', 'calls_refused_rate', 'calls_refused_country'] as const),
  ...(['calls_refused_spend'] as const),
] as const
export type AlertKind = (typeof alertKinds)[number]

/** Something that a carrier's operator should look at. Each kind once for a workspace in its hour or day. */
@Entity('alerts')
export class Alert {
  /** `al_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 32, charset: 'ascii', collation: 'ascii_bin' }) kind!: AlertKind
  /** The hour or day in UTC that it is about. */
  @Column(timestamp) period_began!: Date
  @Column({ type: 'varchar', length: 255 }) message!: string
  @Column(timestamp) created_at!: Date
}
