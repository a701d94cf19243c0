import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

const hex = (length: number) => ({ type: 'char', length, charset: 'ascii', collation: 'ascii_bin' }) as const

/** A phone's account: what it registers with. The registrar reads this table through its views. */
@Entity('sip_accounts')
export class SipAccount {
  /** `si_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 36 }) title!: string
  /** Unique in the workspace; never changes, as the hashes hold it. */
  @Column({ type: 'varchar', length: 30, charset: 'ascii', collation: 'ascii_bin' }) username!: string
  /** Where it registers, and the realm of its digest; kept with the account, as the hashes hold it too. */
  @Column({ type: 'varchar', length: 190, charset: 'ascii', collation: 'ascii_bin' }) domain!: string
  /** Digests of the password (RFC 2617 and RFC 7616); the password itself is kept nowhere. */
  @Column(hex(32)) ha1!: string
  /** The same for phones that send `user@domain` as their username. */
  @Column(hex(32)) ha1b!: string
  @Column(hex(64)) ha1_sha256!: string
  @Column(hex(64)) ha1b_sha256!: string
  /** `number` of a phone number of the workspace; null: the account makes no calls to the outside. */
  @Column({ type: 'varchar', length: 20, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  outbound_caller_id!: string | null
  /** Calls that its phones may make at once; null: as many as the operator's settings say. */
  @Column({ type: 'int', unsigned: true, nullable: true }) max_concurrent_calls!: number | null
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
