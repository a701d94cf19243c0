import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, money } from '../../infrastructure/database/columns.js'

/** What a number cost when its workspace gave it up, where that was not what new numbers cost. */
@Entity('kept_number_fees')
export class KeptNumberFees {
  @PrimaryColumn(asciiId) workspace_id!: string
  @PrimaryColumn({ type: 'varchar', length: 20, charset: 'ascii', collation: 'ascii_bin' }) number!: string
  @Column(money) fee_per_month!: number
  @Column(money) fee_per_mins_call!: number
  @Column(money) fee_per_segment!: number
  @Column(money) fee_per_mms!: number
}
