import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/** A host of a gateway, and what that was seen to lead to. */
@Entity('gateway_addresses')
export class GatewayAddress {
  @PrimaryColumn(asciiId) gateway_id!: string
  @Column(asciiId) workspace_id!: string
  /** In lower case; of an address its one spelling. */
  @PrimaryColumn({ type: 'varchar', length: 253, charset: 'ascii', collation: 'ascii_bin' }) host!: string
  @PrimaryColumn({ type: 'smallint', unsigned: true }) port!: number
  /** Empty for the name itself. */
  @PrimaryColumn({ type: 'varchar', length: 45, charset: 'ascii', collation: 'ascii_bin' }) address!: string
  @Column(timestamp) first_seen_at!: Date
  @Column(timestamp) seen_at!: Date
  /** When the name is looked up again; null for what is no name. */
  @Column({ ...timestamp, nullable: true } as never) due_at!: Date | null
  /** When the first call that went there was answered. */
  @Column({ ...timestamp, nullable: true } as never) used_at!: Date | null
  /** When the operator approved the gateway as it led there; private addresses need this. */
  @Column({ ...timestamp, nullable: true } as never) approved_at!: Date | null
}
