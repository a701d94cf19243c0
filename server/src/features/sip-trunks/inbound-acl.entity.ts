import { Column, Entity, PrimaryColumn } from 'typeorm'
import type { NumberSettings } from '../../adapters/sms/numbers.js'
import { asciiId, flag, timestamp } from '../../infrastructure/database/columns.js'
import type { UnverifiedCallers } from '../../adapters/stir-shaken/caller-verification.js'

export const calledNumberPlaces = ['request_uri', 'to', 'p_called_party_id'] as const
export type CalledNumberPlace = (typeof calledNumberPlaces)[number]

const text = { type: 'varchar', charset: 'ascii', collation: 'ascii_bin' } as const

/** Who may call a number: a list of addresses and blocks, or of domains that resolve to them. */
@Entity('inbound_acls')
export class InboundAcl {
  /** `acl_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 36 }) title!: string
  @Column(asciiId) mode!: 'ip' | 'domain'
  @Column({ type: 'json' }) allowed_ips!: string[]
  @Column(asciiId) unverified_callers!: UnverifiedCallers
  /** `P-Asserted-Identity` of its calls says who calls, in place of From. */
  @Column(flag) trusts_identity!: boolean
  /** ISO 3166-1 code of the country whose national numbers the carrier writes; '': that of the called number. */
  @Column({ ...text, length: 2 }) country!: string
  /** Of {@link country}, for the edge. */
  @Column({ ...text, length: 4 }) calling_code!: string
  /** How its numbers without a plus sign are read. */
  @Column({ ...text, length: 20 }) inbound_number_format!: NumberSettings['inbound_number_format']
  /** What it puts before called numbers, which is taken off. */
  @Column({ ...text, length: 8 }) inbound_number_prefix!: string
  /** Where the called number is read from. */
  @Column({ ...text, length: 20 }) called_number_from!: CalledNumberPlace
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
