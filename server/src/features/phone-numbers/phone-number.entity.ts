import type { NumberType } from '../../lib/numbering/e164.js'
import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, money, timestamp, word } from '../../infrastructure/database/columns.js'

export type NumberStatus = 'pending' | 'active' | 'inactive'
export type Capability = 'voice' | 'sms'

/** Who says that a number is its workspace's. `upgrade`: it called out before numbers were verified. */
export const verifiers = ['operator', 'code', 'upgrade'] as const
export type Verifier = (typeof verifiers)[number]

/** A number (DID) of a workspace. */
@Entity('phone_numbers')
export class PhoneNumber {
  /** `pn_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 36 }) title!: string
  /** Digits with the country calling code, no plus sign; unique in the workspace. */
  @Column({ type: 'varchar', length: 20, charset: 'ascii', collation: 'ascii_bin' }) number!: string
  @Column({ type: 'char', length: 2, charset: 'ascii', collation: 'ascii_bin' }) country_code!: string
  @Column({ type: 'varchar', length: 4, charset: 'ascii', collation: 'ascii_bin' }) dial_code!: string
  @Column(asciiId) status!: NumberStatus
  @Column(asciiId) type!: NumberType
  @Column({ type: 'json' }) capabilities!: Capability[]
  @Column(asciiId) provider!: string
  @Column(flag) enable_outbound!: boolean
  @Column(asciiId) inbound_acl_id!: string
  @Column({ ...asciiId, nullable: true } as never) outbound_gateway_id!: string | null
  @Column({ ...asciiId, nullable: true } as never) call_flow_id!: string | null
  @Column(flag) record_outbound!: boolean
  /** Whether it may be shown to others: as caller id, and as the sender of texts. */
  @Column(flag) is_verified!: boolean
  @Column({ ...word, nullable: true } as never) verified_by!: Verifier | null
  @Column({ ...timestamp, nullable: true } as never) verified_at!: Date | null
  /** USD. */
  @Column(money) fee_per_month!: number
  /** USD a minute, charged by the second. */
  @Column(money) fee_per_mins_call!: number
  /** USD for each segment of a text. */
  @Column(money) fee_per_segment!: number
  /** USD for a message with attachments. */
  @Column(money) fee_per_mms!: number
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
