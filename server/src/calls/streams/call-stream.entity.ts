import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, timestamp } from '../../database/columns.js'
import type { StreamEnd } from './customer-socket.js'

/** A stream that goes on in the background of a call: what a later process needs to go on with it. */
@Entity('call_streams')
export class CallStream {
  /** `str_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) call_id!: string
  /** {@link StreamSettings} as JSON, sealed: addresses and headers hold what customers' servers know us by. */
  @Column({ type: 'text', charset: 'ascii', collation: 'ascii_bin' }) settings!: string
  /** Whether a script that has run out stays for it. */
  @Column(flag) is_awaited!: boolean
  /** The switch's channel over which it is heard; null before the first. */
  @Column({ ...asciiId, nullable: true }) channel_id!: string | null
  /** Frames of 20 ms that the customer's server was sent, and that it was too slow for; written in the end. */
  @Column({ type: 'int', unsigned: true }) frames_sent!: number
  @Column({ type: 'int', unsigned: true }) frames_dropped!: number
  @Column(timestamp) created_at!: Date
  @Column({ ...timestamp, nullable: true }) ended_at!: Date | null
  @Column({ ...asciiId, nullable: true }) end_reason!: StreamEnd | null
}
