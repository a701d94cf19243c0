/** Address books: contacts that belong together, shared with teams. */
import type { EntityManager } from 'typeorm'
import { type Database, isMissingReference } from '../database/database.js'
import { newId } from '../database/ids.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import { badRequest, notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import { checkTeams } from '../teams/shared-teams.js'
import { type InUse, namedUsers } from '../workspaces/in-use.js'
import { checkLimit } from '../workspaces/limits.js'
import { AddressBook, AddressBookTeam } from './address-book.entity.js'
import type { CreateAddressBook, UpdateAddressBook } from './address-book.schema.js'
import { Contact } from './contact.entity.js'

/** An address book and how many contacts it holds. */
export type CountedAddressBook = AddressBook & { contact_count: number }

interface Options {
  database: Database
  inUse: InUse
  max: number
}

export class AddressBookService {
  private readonly table: WorkspaceTable<AddressBook>

  constructor(private readonly options: Options) {
    const { database, inUse } = options
    this.table = new WorkspaceTable(database, AddressBook, { audited: 'address_book' })
    inUse.register('address_book', async (workspace, id) => this.contactsIn(workspace, id))
    inUse.register('team', async (workspace, id) => this.sharedWith(workspace, id))
  }

  async list(workspace: Owner, request: ListRequest): Promise<Page<CountedAddressBook>> {
    const { rows, total } = await this.table.list(workspace, { ...request, searched: ['title'] })
    return { rows: await this.counted(workspace, rows), total }
  }

  /** The books that agents of a team read: those shared with it, and with all. */
  async readBy(workspace: Owner, teamId: string): Promise<string[]> {
    const rows: { id: string }[] = await this.options.database.source.query(
      `SELECT id FROM address_books book WHERE workspace_id = ?
         AND (JSON_LENGTH(shared_teams_id) = 0 OR EXISTS (
           SELECT 1 FROM address_book_teams share WHERE share.address_book_id = book.id AND share.team_id = ?))`,
      [workspace.id, teamId],
    )
    return rows.map(({ id }) => id)
  }

  /** @throws 404 */
  async get(workspace: Owner, id: string): Promise<CountedAddressBook> {
    const book = await this.table.find(workspace, id)
    const [counted] = book ? await this.counted(workspace, [book]) : []
    if (!counted) throw notFound(`Address book ${id} not found`)
    return counted
  }

  /** @throws 400 unknown teams, 403 at the limit */
  async create(workspace: Owner, input: CreateAddressBook): Promise<CountedAddressBook> {
    const now = new Date()
    const book: AddressBook = {
      id: newId('ab'),
      workspace_id: workspace.id,
      title: input.title,
      shared_teams_id: input.shared_teams_id ?? [],
      created_at: now,
      updated_at: now,
    }
    await checkTeams(this.options.database, workspace, book.shared_teams_id)
    await this.writing(async (tx) => {
      await checkLimit(tx, this.table, workspace, { max: this.options.max, what: 'address books' })
      await this.table.in(tx).insert(book)
      await share(tx, book)
    })
    return { ...book, contact_count: 0 }
  }

  /** @throws 400 unknown teams, 404 */
  async update(workspace: Owner, id: string, input: UpdateAddressBook): Promise<CountedAddressBook> {
    await checkTeams(this.options.database, workspace, input.shared_teams_id ?? [])
    const changed = await this.writing(async (tx) => {
      const book = await this.table.in(tx).lock(workspace, id)
      if (!book) throw notFound(`Address book ${id} not found`)
      const changes = { ...input, updated_at: new Date() }
      await this.table.in(tx).update(workspace, id, changes)
      if (input.shared_teams_id) await share(tx, { ...book, shared_teams_id: input.shared_teams_id })
      return { ...book, ...changes }
    })
    const [counted] = await this.counted(workspace, [changed])
    return counted ?? { ...changed, contact_count: 0 }
  }

  /** @throws 404, 409 while it holds contacts */
  async delete(workspace: Owner, id: string): Promise<CountedAddressBook> {
    const book = await this.get(workspace, id)
    await this.options.inUse.delete(
      'address_book',
      workspace,
      id,
      `The address book ${book.title}`,
      async () => this.table.delete(workspace, id),
    )
    return { ...book, contact_count: 0 }
  }

  /** For a workspace that is being deleted, whose contacts are gone already. */
  async deleteAll(tx: EntityManager, workspace: Owner): Promise<void> {
    await this.table.in(tx).deleteAll(workspace)
  }

  private async contactsIn(workspace: Owner, id: string): Promise<string[]> {
    const where = { workspace_id: workspace.id, address_book_id: id }
    const count = await this.options.database.platformTable(Contact).countBy(where)
    return count > 0 ? [count === 1 ? '1 contact' : `${count} contacts`] : []
  }

  private async sharedWith(workspace: Owner, teamId: string): Promise<string[]> {
    const books = await this.options.database
      .platformTable(AddressBook)
      .createQueryBuilder('book')
      .innerJoin(AddressBookTeam, 'share', 'share.address_book_id = book.id')
      .where('share.workspace_id = :owner AND share.team_id = :teamId', { owner: workspace.id, teamId })
      .limit(namedUsers + 1)
      .getMany()
    return books.map(({ title }) => `the address book ${title}`)
  }

  private async counted(workspace: Owner, books: readonly AddressBook[]): Promise<CountedAddressBook[]> {
    if (books.length === 0) return []
    const counts = await this.options.database
      .platformTable(Contact)
      .createQueryBuilder('contact')
      .select('contact.address_book_id', 'id')
      .addSelect('COUNT(*)', 'count')
      .where('contact.workspace_id = :owner', { owner: workspace.id })
      .andWhere('contact.address_book_id IN (:...ids)', { ids: books.map(({ id }) => id) })
      .groupBy('contact.address_book_id')
      .getRawMany<{ id: string; count: string }>()
    const byId = new Map(counts.map(({ id, count }) => [id, Number(count)]))
    return books.map((book) => ({ ...book, contact_count: byId.get(book.id) ?? 0 }))
  }

  private async writing<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.options.database.transaction(work)
    } catch (error) {
      throw isMissingReference(error) ? badRequest('One of the teams has just been deleted') : error
    }
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
