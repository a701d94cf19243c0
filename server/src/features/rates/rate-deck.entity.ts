import { Column, type ColumnOptions, Entity, Index, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/** TINYINT(1), read as a boolean; NULL when it is not: of those a UNIQUE key allows any number. */
const onlyOne: ColumnOptions = {
  type: 'tinyint',
  nullable: true,
  transformer: {
    from: (value: number | null) => value === 1,
    to: (value: boolean | undefined) => (value === undefined ? undefined : value ? 1 : null),
  },
}

/** A list of rates that the operator maintains. A workspace has a deck of its own, or the default one. */
@Entity('rate_decks')
export class RateDeck {
  /** `rd_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column({ type: 'varchar', length: 64 }) title!: string
  /** Holds for all workspaces, where their own deck has no rate. At most one is. */
  @Index('rate_decks_default', { unique: true })
  @Column(onlyOne)
  is_default!: boolean
  /** How many rates it has. */
  @Column({ type: 'int', unsigned: true }) rates!: number
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
