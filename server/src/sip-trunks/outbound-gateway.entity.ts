import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, timestamp } from '../database/columns.js'

/** One address of a carrier; priority 1 is tried first. */
export interface OutboundUri {
  uri: string
  port: number
  protocol: 'udp' | 'tcp' | 'tls'
  priority: number
}

/** A way out to a carrier. */
@Entity('outbound_gateways')
export class OutboundGateway {
  /** `gw_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 36 }) title!: string
  /** As it was given; shown when a call over this trunk names no number of its own. */
  @Column({ type: 'varchar', length: 32, charset: 'ascii', collation: 'ascii_bin' })
  outbound_caller_id!: string
  @Column({ type: 'json' }) outbound_uris!: OutboundUri[]
  @Column({ type: 'varchar', length: 64, nullable: true }) credential_username!: string | null
  /** Encrypted. */
  @Column({ type: 'varchar', length: 512, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  credential_password!: string | null
  /** Whether who calls over it is signed. */
  @Column(flag) is_signing!: boolean
  /** Whether the operator has approved where it leads: also to carriers of other workspaces. */
  @Column(flag) is_approved!: boolean
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
