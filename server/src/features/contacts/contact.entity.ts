import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'
import { type SearchText, textOfParts } from '../../infrastructure/database/search-text.js'

const searchBytes = 1_200

/** A person or company that a workspace calls or is called by. */
@Entity('contacts')
export class Contact {
  static readonly searchText: SearchText<Contact> = {
    made: ['name', 'email', 'numbers'],
    columns: ["CONCAT_WS(' ', whole.name, whole.email, whole.numbers)"],
    of: ({ name, email, numbers }) =>
      textOfParts(
        [[name, ...(email === null ? [] : [email]), JSON.stringify(numbers)].join(' ')],
        searchBytes,
      ),
  }

  /** `con_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 100 }) name!: string
  /** E.164 with the plus sign, in the order in which they were given. */
  @Column({ type: 'json' }) numbers!: string[]
  @Column({ type: 'varchar', length: 254, nullable: true }) email!: string | null
  @Column({ type: 'varchar', length: 2000, nullable: true }) notes!: string | null
  @Column({ type: 'json' }) custom_fields!: Record<string, string>
  @Column({ ...asciiId, nullable: true } as never) address_book_id!: string | null
  /** Of name, e-mail and numbers. */
  @Column({ type: 'varbinary', length: searchBytes, nullable: true, select: false })
  readonly search_text?: Buffer | null
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}

/** A number of a contact, by which the contact is found. */
@Entity('contact_numbers')
export class ContactNumber {
  @PrimaryColumn(asciiId) contact_id!: string
  /** Digits with the country calling code. */
  @PrimaryColumn(asciiId) number!: string
  @Column(asciiId) workspace_id!: string
}
