import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, money, timestamp } from '../../infrastructure/database/columns.js'

/**
 * `correction`: the operator takes back what was booked by mistake, or adds what was left out. `carried_forward`: the
 * sum of all entries that were older than they are kept; a workspace has one at most.
 */
export const creditReasons = [
  ...(['top_up', 'correction', 'call', 'message', 'message_refund', 'carried_forward'] as const),
] as const
export type CreditReason = (typeof creditReasons)[number]

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
  /** What it was booked for: an id of a call or message, the workspace's for `carried_forward`, else the entry's own. */
  @Column(asciiId) reference!: string
  @Column({ type: 'varchar', length: 255 }) note!: string
  /** Counts the entries of a workspace from 1, in the order in which they were booked; null of those before there was one. Of what is carried forward that of the last entry in it. */
  @Column({ type: 'int', unsigned: true, nullable: true }) sequence!: number | null
  /** Its call or message was deleted. */
  @Column({ ...flag, default: 0 } as never) is_subject_deleted!: boolean
  @Column(timestamp) created_at!: Date
}
