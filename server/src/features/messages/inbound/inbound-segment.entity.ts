import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../../infrastructure/database/columns.js'

const number = { type: 'varchar', length: 32, charset: 'ascii', collation: 'ascii_bin' } as const

/** Recent texts of a carrier: parts of long texts that wait for the others, and texts that must not be stored twice. */
@Entity('inbound_segments')
export class InboundSegmentRow {
  /** `evt_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) carrier_id!: string
  /** The connection that brought it: a carrier that lost our answer brings it again on another one. */
  @Column(asciiId) bind_id!: string
  @Column(number) from_number!: string
  @Column(number) to_number!: string
  @Column({ type: 'varchar', length: 128, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  carrier_message_id!: string | null
  @Column({ type: 'char', length: 64, charset: 'ascii', collation: 'ascii_bin' }) fingerprint!: string
  @Column({ type: 'int', unsigned: true, nullable: true }) reference!: number | null
  /** From 0. */
  @Column({ type: 'tinyint', unsigned: true, nullable: true }) segment!: number | null
  @Column({ type: 'tinyint', unsigned: true, nullable: true }) total!: number | null
  /** The alphabet of `body` (carriers/text/encoded-text.ts). NULL: UTF-16BE. */
  @Column({ type: 'varchar', length: 32, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  coding!: string | null
  /** The octets of a segment that waits for others. */
  @Column({ type: 'mediumblob', nullable: true }) body!: Buffer | null
  @Column(timestamp) received_at!: Date
}
