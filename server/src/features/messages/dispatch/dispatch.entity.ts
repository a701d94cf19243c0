/** Messages under way: those that no carrier has taken yet, and those whose final receipt has not come. */
import { Column, type ColumnOptions, Entity, PrimaryColumn } from 'typeorm'
import type { Receipt } from '../../../adapters/sms/link.js'
import { asciiId, digits, timestamp, word } from '../../../infrastructure/database/columns.js'

const carrierMessageId: ColumnOptions = {
  ...{ type: 'varchar', length: 128, charset: 'ascii', collation: 'ascii_bin' },
}

/** A message that is to be submitted. */
@Entity('message_queue')
export class QueuedMessage {
  @PrimaryColumn(asciiId) message_id!: string
  @Column(asciiId) workspace_id!: string
  /** Null where the number has none. */
  @Column({ ...asciiId, nullable: true } as never) carrier_id!: string | null
  /** `submitting`: it may be on its way to the carrier. */
  @Column(word) state!: 'queued' | 'submitting'
  @Column(timestamp) due_at!: Date
  @Column({ type: 'int', unsigned: true }) attempts!: number
  /** No carrier is tried after this. */
  @Column(timestamp) give_up_at!: Date
}

/** A segment that a carrier has taken; kept until the message has come to its end. */
@Entity('message_segments')
export class MessageSegment {
  @PrimaryColumn(asciiId) message_id!: string
  /** From 0. */
  @PrimaryColumn({ type: 'tinyint', unsigned: true }) segment!: number
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) carrier_id!: string
  @Column({ ...carrierMessageId, nullable: true }) carrier_message_id!: string | null
  @Column(digits) client_number!: string
  @Column(word) state!: 'accepted' | 'delivered' | 'undelivered'
  @Column(timestamp) accepted_at!: Date
}

/** A receipt for a message that is not known to be the carrier's: it may be known a moment later. */
@Entity('unmatched_receipts')
export class UnmatchedReceipt {
  /** `evt_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) carrier_id!: string
  /** One row for each way to write it. */
  @Column(carrierMessageId) carrier_message_id!: string
  @Column({ type: 'json' }) receipt!: Receipt
  @Column(timestamp) created_at!: Date
}
