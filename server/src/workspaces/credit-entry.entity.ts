import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, money, timestamp } from '../database/columns.js'

/** `correction`: the operator takes back what was booked by mistake, or adds what was left out. */
export type CreditReason = 'top_up' | 'correction' | 'call' | 'message' | 'message_refund'

/** One line of a workspace's credit ledger. `reason` and `reference` together are unique: nothing is booked twice. */
@Entity('credit_entries')
export class CreditEntry {
  /** `cr_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  /** USD; negative for what was used. */
  @Column(money) amount!: number
  /** USD after this entry. */
  @Column(money) balance!: number
  @Column(asciiId) reason!: CreditReason
  /** What it was booked for: a call's id, or the entry's own for a top-up or correction. */
  @Column(asciiId) reference!: string
  @Column({ type: 'varchar', length: 255 }) note!: string
  /** Counts the entries of a workspace from 1, in the order in which they were booked; null of those before there was one. */
  @Column({ type: 'int', unsigned: true, nullable: true }) sequence!: number | null
  @Column(timestamp) created_at!: Date
}
