import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, money, timestamp } from '../../infrastructure/database/columns.js'

/**
 * What a workspace has left: the sum of its credit entries. It has a table of its own, because each charge
 * locks it until its commit, and rows that refer to a workspace would wait for that.
 */
@Entity('credit_balances')
export class CreditBalance {
  @PrimaryColumn(asciiId) workspace_id!: string
  /** USD. */
  @Column(money) balance!: number
  /** USD, of the balance, that live calls hold: the sum of their `credit_held`. */
  @Column(money) held!: number
  /** USD that were charged in the hour and the day, of UTC, that began then. */
  @Column({ ...timestamp, nullable: true }) hour_began!: Date | null
  @Column(money) hour_spent!: number
  @Column({ ...timestamp, nullable: true }) day_began!: Date | null
  @Column(money) day_spent!: number
  /** How many numbered entries the ledger has. */
  @Column({ type: 'int', unsigned: true }) entries!: number
}
