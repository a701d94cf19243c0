import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, digits, flagOrNull, money, timestamp } from '../../../infrastructure/database/columns.js'

/**
 * `caller`: the phone that made the call; `called`: the party that the call was made to; `destination`: one
 * that the script dials; `supervisor`: a leg that listens, and whose end does not end the call.
 */
export type LegRole = 'caller' | 'called' | 'destination' | 'supervisor'

/** One channel of the switch: a caller, or one attempt to dial one address. */
@Entity('call_legs')
export class CallLeg {
  /** `leg_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) call_id!: string
  @Column(asciiId) workspace_id!: string
  /** The channel's id in the switch. We choose it before the channel exists. */
  @Column({ type: 'char', length: 36, charset: 'ascii', collation: 'ascii_bin' }) channel_id!: string
  @Column(asciiId) role!: LegRole
  /**
   * Digits of a telephone number; for a phone, what others dial to reach it, or its username; for a called user of a
   * customer's app, `client:` and their `sub`.
   */
  @Column({ type: 'varchar', length: 80 }) number!: string
  @Column({ ...asciiId, nullable: true } as never) gateway_id!: string | null
  /** The phone at this end. */
  @Column({ ...asciiId, nullable: true } as never) sip_account_id!: string | null
  /** The agent at this end. */
  @Column({ ...asciiId, nullable: true } as never) agent_id!: string | null
  /** The voice agent at this end. */
  @Column({ ...asciiId, nullable: true } as never) voice_agent_id!: string | null
  /** The address that was dialled: `host:port;transport` of a gateway, `sip:username@domain` of a phone. */
  @Column({ type: 'varchar', length: 255 }) uri!: string
  /** The rate at which the leg began, see `Rate`. USD. */
  @Column(money) fee_per_minute!: number
  /** USD. */
  @Column(money) connection_fee!: number
  @Column({ type: 'smallint', unsigned: true }) minimum_seconds!: number
  @Column({ type: 'smallint', unsigned: true }) increment_seconds!: number
  @Column({ ...asciiId, nullable: true } as never) rate_deck_id!: string | null
  @Column({ ...digits, nullable: true }) rate_prefix!: string | null
  /** The seconds charged, with minimum and increment; null until the call has ended, and when it was free. */
  @Column({ type: 'int', unsigned: true, nullable: true }) charged_seconds!: number | null
  /** USD; set together with `charged_seconds`. */
  @Column({ ...money, nullable: true }) cost!: number | null
  @Column(timestamp) created_at!: Date
  @Column({ ...timestamp, nullable: true }) answered_at!: Date | null
  @Column({ ...timestamp, nullable: true }) ended_at!: Date | null
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  hangup_cause!: string | null
  @Column({ type: 'smallint', unsigned: true, nullable: true }) sip_code!: number | null
  /** Whether the party at this end hung up; null while the leg lives, and where the switch did not report it. */
  @Column(flagOrNull) is_ended_by_peer!: boolean | null
  /** The Call-ID of an incoming INVITE; on legs that we dial the Call-ID is `channel_id`. */
  @Column({ type: 'varchar', length: 255, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  sip_call_id!: string | null
}
