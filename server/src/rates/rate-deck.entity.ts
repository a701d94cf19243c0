import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, timestamp } from '../database/columns.js'

/** A list of rates that the operator keeps. A workspace has one of its own, or that which is the default. */
@Entity('rate_decks')
export class RateDeck {
  /** `rd_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column({ type: 'varchar', length: 64 }) title!: string
  /** Holds for all workspaces, where their own deck has no rate. At most one is. */
  @Column(flag) is_default!: boolean
  /** How many rates it has. */
  @Column({ type: 'int', unsigned: true }) rates!: number
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
