/** Address books: contacts that belong together, shared with teams. */
import type { EntityManager } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { type ResourceRow, ResourceService } from '../../infrastructure/resources/resource-service.js'
import { withTimes } from '../../infrastructure/resources/with-times.js'
import { checkTeams } from '../teams/shared-teams.js'
import { type InUse, namedUsers } from '../../infrastructure/resources/in-use.js'
import { AddressBook, AddressBookTeam } from './address-book.entity.js'
import { addressBookResource } from './address-book.resource.js'
import type { CreateAddressBook, UpdateAddressBook } from './address-book.schema.js'
import { Contact } from './contact.entity.js'

export class AddressBookService extends ResourceService<AddressBook, CreateAddressBook, UpdateAddressBook> {
  constructor(database: Database, inUse: InUse, max: number) {
    super(addressBookResource, { database, inUse, max })
    inUse.register('address_book', async (workspace, id) => this.contactsIn(workspace, id))
    inUse.register('team', async (workspace, id) => this.sharedWith(workspace, id))
  }

  /** The books that agents of a team read: those shared with it, and with all. */
  async readBy(workspace: Owner, teamId: string): Promise<string[]> {
    const rows: { id: string }[] = await this.database.source.query(
      `SELECT id FROM address_books book WHERE workspace_id = ?
         AND (JSON_LENGTH(shared_teams_id) = 0 OR EXISTS (
           SELECT 1 FROM address_book_teams share WHERE share.address_book_id = book.id AND share.team_id = ?))`,
      [workspace.id, teamId],
    )
    return rows.map(({ id }) => id)
  }

  /** @throws 400 unknown teams, 403 at the limit */
  override async create(workspace: Owner, input: CreateAddressBook): Promise<AddressBook> {
    await checkTeams(this.database, workspace, input.shared_teams_id ?? [])
    return super.create(workspace, input)
  }

  /** @throws 400 unknown teams, 404 */
  override async update(workspace: Owner, id: string, input: UpdateAddressBook): Promise<AddressBook> {
    await checkTeams(this.database, workspace, input.shared_teams_id ?? [])
    return super.update(workspace, id, input)
  }

  /** Presents books with the number of contacts that each holds. */
  async presenting(books: readonly AddressBook[], { workspace }: { workspace: Owner }) {
    const counts = await this.countsOf(workspace, books)
    return (book: AddressBook) => ({ ...withTimes(book), contact_count: counts.get(book.id) ?? 0 })
  }

  protected rowOf(base: ResourceRow, input: CreateAddressBook): AddressBook {
    return { ...base, shared_teams_id: [], ...input }
  }

  protected changesOf(input: UpdateAddressBook): Partial<AddressBook> {
    return input
  }

  protected override async written(
    tx: EntityManager,
    row: AddressBook,
    before: AddressBook | null,
  ): Promise<undefined> {
    if (row.shared_teams_id !== before?.shared_teams_id) await share(tx, row)
  }

  private async contactsIn(workspace: Owner, id: string): Promise<string[]> {
    const where = { workspace_id: workspace.id, address_book_id: id }
    const count = await this.database.platformTable(Contact).countBy(where)
    return count > 0 ? [count === 1 ? '1 contact' : `${count} contacts`] : []
  }

  private async sharedWith(workspace: Owner, teamId: string): Promise<string[]> {
    const books = await this.database
      .platformTable(AddressBook)
      .createQueryBuilder('book')
      .innerJoin(AddressBookTeam, 'share', 'share.address_book_id = book.id')
      .where('share.workspace_id = :owner AND share.team_id = :teamId', { owner: workspace.id, teamId })
      .limit(namedUsers + 1)
      .getMany()
    return books.map(({ title }) => `the address book ${title}`)
  }

  private async countsOf(workspace: Owner, books: readonly AddressBook[]): Promise<Map<string, number>> {
    if (books.length === 0) return new Map()
    const counts = await this.database
      .platformTable(Contact)
      .createQueryBuilder('contact')
      .select('contact.address_book_id', 'id')
      .addSelect('COUNT(*)', 'count')
      .where('contact.workspace_id = :owner', { owner: workspace.id })
      .andWhere('contact.address_book_id IN (:...ids)', { ids: books.map(({ id }) => id) })
      .groupBy('contact.address_book_id')
      .getRawMany<{ id: string; count: string }>()
    return new Map(counts.map(({ id, count }) => [id, Number(count)]))
  }
}

/** Replaces the teams that a book is shared with. */
async function share(tx: EntityManager, { id, workspace_id, shared_teams_id }: AddressBook): Promise<void> {
  await tx.delete(AddressBookTeam, { address_book_id: id })
  if (shared_teams_id.length === 0) return
  await tx.insert(
    AddressBookTeam,
    shared_teams_id.map((team_id) => ({ address_book_id: id, team_id, workspace_id })),
  )
}
