import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, digits, money, timestamp } from '../database/columns.js'

/**
 * `caller`: the phone that made the call; `called`: the party that the call was made to; `operator`: one that the
 * script connects it with; `supervisor`: one who hears the call, and whom it does not end with.
 */
export type LegRole = 'caller' | 'called' | 'operator' | 'supervisor'

/** A caller, or one attempt to reach somebody at one address: one channel of the switch. */
@Entity('call_legs')
export class CallLeg {
  /** `leg_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) call_id!: string
  @Column(asciiId) workspace_id!: string
  /** The switch's id of the channel, chosen by us before it exists. */
  @Column({ type: 'char', length: 36, charset: 'ascii', collation: 'ascii_bin' }) channel_id!: string
  @Column(asciiId) role!: LegRole
  /**
   * Digits of a telephone number; of a phone, what others dial to reach it or its username; `client:` and the `sub` of a
   * user of a customer's app who is called.
   */
  @Column({ type: 'varchar', length: 80 }) number!: string
  @Column({ ...asciiId, nullable: true } as never) gateway_id!: string | null
  /** The phone at this end. */
  @Column({ ...asciiId, nullable: true } as never) sip_account_id!: string | null
  /** The agent at this end. */
  @Column({ ...asciiId, nullable: true } as never) agent_id!: string | null
  /** The voice agent at this end. */
  @Column({ ...asciiId, nullable: true } as never) voice_agent_id!: string | null
  /** The gateway's address that was tried: `host:port;transport`; of a phone `sip:username@domain`. */
  @Column({ type: 'varchar', length: 255 }) uri!: string
  /** What it costs, as it began with: see `Rate`. USD. */
  @Column(money) fee_per_minute!: number
  /** USD. */
  @Column(money) connection_fee!: number
  @Column({ type: 'smallint', unsigned: true }) minimum_seconds!: number
  @Column({ type: 'smallint', unsigned: true }) increment_seconds!: number
  @Column({ ...asciiId, nullable: true } as never) rate_deck_id!: string | null
  @Column({ ...digits, nullable: true }) rate_prefix!: string | null
  /** What was charged of it, with minimum and increment; null until its call has ended, and where that was free. */
  @Column({ type: 'int', unsigned: true, nullable: true }) charged_seconds!: number | null
  /** USD, with it. */
  @Column({ ...money, nullable: true }) cost!: number | null
  @Column(timestamp) created_at!: Date
  @Column({ ...timestamp, nullable: true }) answered_at!: Date | null
  @Column({ ...timestamp, nullable: true }) ended_at!: Date | null
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  hangup_cause!: string | null
  @Column({ type: 'smallint', unsigned: true, nullable: true }) sip_code!: number | null
  /** The Call-ID of its INVITE, where somebody else chose it: of legs that we call it is `channel_id`. */
  @Column({ type: 'varchar', length: 255, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  sip_call_id!: string | null
}
