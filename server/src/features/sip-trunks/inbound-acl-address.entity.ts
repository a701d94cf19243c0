import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, timestamp } from '../../infrastructure/database/columns.js'

const hostName = { type: 'varchar', length: 253, charset: 'ascii', collation: 'ascii_bin' } as const
const address = { type: 'varbinary', length: 16 } as const

/** Addresses that an inbound ACL allows, as Kamailio compares a caller's with them. */
@Entity('inbound_acl_addresses')
export class InboundAclAddress {
  @PrimaryColumn(asciiId) acl_id!: string
  /** The name that leads there; empty for an entry that is an address or block itself. */
  @PrimaryColumn(hostName) host!: string
  /** 16 bytes; IPv4 as `::ffff:a.b.c.d`. */
  @PrimaryColumn(address) first_address!: Buffer
  @PrimaryColumn(address) last_address!: Buffer
  /** Says nothing of who a source is (see {@link AddressRange.isWide}). */
  @Column(flag) is_wide!: boolean
}

/** A name in an inbound ACL of mode `domain`, and what DNS last said of it. */
@Entity('inbound_acl_hosts')
export class InboundAclHost {
  @PrimaryColumn(asciiId) acl_id!: string
  /** In lower case. */
  @PrimaryColumn(hostName) host!: string
  /** When it is to be resolved. */
  @Column(timestamp) due_at!: Date
  /** When DNS last answered in full. */
  @Column({ ...timestamp, nullable: true }) resolved_at!: Date | null
  /** Why the last answer was incomplete; null when it was complete. */
  @Column({ type: 'varchar', length: 100, nullable: true }) error!: string | null
}
