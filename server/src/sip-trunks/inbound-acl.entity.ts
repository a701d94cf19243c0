import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, timestamp } from '../database/columns.js'
import type { UnverifiedCallers } from '../stir/caller-verification.js'

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
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
