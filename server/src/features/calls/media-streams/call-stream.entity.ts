import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, timestamp } from '../../../infrastructure/database/columns.js'
import type { StreamEnd } from './customer-socket.js'

/** A stream in the background of a call: what the next process needs to continue it. */
@Entity('call_streams')
export class CallStream {
  /** `str_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) call_id!: string
  /** {@link StreamSettings} as sealed JSON: URLs and headers contain credentials for customers' servers. */
  @Column({ type: 'text', charset: 'ascii', collation: 'ascii_bin' }) settings!: string
  /** True if a finished script waits for the stream. */
  @Column(flag) is_awaited!: boolean
  /** Channel of the tap; null before the first. */
  @Column({ ...asciiId, nullable: true }) channel_id!: string | null
  /**
   * Frames of 20 ms that were sent to the customer's server, and dropped because it was too slow; written at the end.
   */
  @Column({ type: 'int', unsigned: true }) frames_sent!: number
  @Column({ type: 'int', unsigned: true }) frames_dropped!: number
  @Column(timestamp) created_at!: Date
  @Column({ ...timestamp, nullable: true }) ended_at!: Date | null
  @Column({ ...asciiId, nullable: true }) end_reason!: StreamEnd | null
}
