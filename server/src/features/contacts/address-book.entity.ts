import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/** Contacts that belong together, and the teams whose agents read them. */
@Entity('address_books')
export class AddressBook {
  /** `ab_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 36 }) title!: string
  /** Empty: agents of all teams. Kept in `address_book_teams` too, whose keys hold the teams. */
  @Column({ type: 'json' }) shared_teams_id!: string[]
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}

/** A team that an address book is shared with. */
@Entity('address_book_teams')
export class AddressBookTeam {
  @PrimaryColumn(asciiId) address_book_id!: string
  @PrimaryColumn(asciiId) team_id!: string
  @Column(asciiId) workspace_id!: string
}
