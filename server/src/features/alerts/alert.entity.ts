import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/**
 * Kinds of alerts: most or all of the spending limit of an hour or a day is used, calls were refused unusually often by one of
 * the limits against toll fraud, calls look like toll fraud, a gateway waits for approval, none of its addresses answers, a
 * phone calls the emergency service, and such a call fails.
 */
export const alertKinds = [
  ...(['spend_per_hour_80', 'spend_per_hour_100', 'spend_per_day_80', 'spend_per_day_100'] as const),
  ...(['calls_refused_concurrent', 'calls_refused_rate', 'calls_refused_country'] as const),
  ...(['calls_refused_spend', 'calls_new_country', 'calls_burst', 'calls_short'] as const),
  ...(['gateway_pending', 'gateway_unreachable', 'emergency_call', 'emergency_call_failed'] as const),
] as const
export type AlertKind = (typeof alertKinds)[number]

/**
 * Figures: `calls`, as many as are `usual`, their `seconds`; USD `spent` of `max`. Of an emergency call: the `number`, the
 * `phone` that called it with its `phone_title` and `extension`, the `caller_number` that it shows, and the `call_id`.
 */
export type AlertDetails = Partial<Record<'calls' | 'usual' | 'seconds' | 'spent' | 'max', number>> &
  Partial<Record<'number' | 'phone' | 'phone_title' | 'extension' | 'caller_number' | 'call_id', string>>

/** Something that a carrier's operator should look at. Each kind, and country, once for a workspace in its period. */
@Entity('alerts')
export class Alert {
  /** `al_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 32, charset: 'ascii', collation: 'ascii_bin' }) kind!: AlertKind
  /** The hour or day in UTC that it is about. */
  @Column(timestamp) period_began!: Date
  /** ISO 3166-1, of the country that is called; '' where it is about none. */
  @Column({ type: 'char', length: 2, charset: 'ascii', collation: 'ascii_bin' }) country_code!: string
  @Column({ type: 'varchar', length: 255 }) message!: string
  /** The figures of its message; null of those that are older than this column. */
  @Column({ type: 'json', nullable: true }) details!: AlertDetails | null
  @Column(timestamp) created_at!: Date
}
