/** Contacts: callers and called parties of a workspace. */
import { type EntityManager, type FindOperator, type FindOptionsWhere, In, IsNull, Or, Raw } from 'typeorm'
import { type Database, isMissingReference } from '../database/database.js'
import { newId } from '../database/ids.js'
import { idsAmong } from '../database/ids-among.js'
import { composed } from '../database/search.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import { invalidField, notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import { checkLimit } from '../workspaces/limits.js'
import { type WorkspaceNumbers, notANumber } from '../phone-numbers/workspace-numbers.js'
import { normalizedNumbers, replaceNumbers } from './contact-numbers.js'
import { Contact, ContactNumber } from './contact.entity.js'
import type { CreateContact, UpdateContact } from './contact.schema.js'

interface ContactList extends ListRequest {
  address_book_id?: string
  /** As it is written; contacts that have it. */
  number?: string
}

export class ContactService {
  private readonly table: WorkspaceTable<Contact>

  constructor(
    private readonly database: Database,
    private readonly numbers: WorkspaceNumbers,
    private readonly max: number,
  ) {
    this.table = new WorkspaceTable(database, Contact, { audited: 'contact' })
  }

  /** @throws 400 naming `number` when it is none */
  async list(workspace: Owner, { address_book_id, number, ...request }: ContactList): Promise<Page<Contact>> {
    const where: FindOptionsWhere<Contact> = {
      ...(address_book_id !== undefined && { address_book_id }),
      ...(number !== undefined && { id: await this.withNumber(workspace, number) }),
    }
    return this.listWhere(workspace, request, where, Object.keys(where).length === 0)
  }

  /** @throws 400 */
  private async withNumber(workspace: Owner, written: string): Promise<FindOperator<string>> {
    const number = await this.numbers.digitsOf(workspace, written)
    if (number === null) throw invalidField('number', notANumber('number'))
    return holding(workspace, number)
  }

  /** Contacts that stand in one of these books, or in none. */
  async listIn(workspace: Owner, books: readonly string[], request: ListRequest): Promise<Page<Contact>> {
    const inBooks = books.length > 0 ? [In(books as string[])] : []
    return this.listWhere(workspace, request, { address_book_id: Or(IsNull(), ...inBooks) }, true)
  }

  /** @param sortedByIndex whether most contacts match, so that they are best read in the order of an index */
  private async listWhere(
    workspace: Owner,
    request: ListRequest,
    where: FindOptionsWhere<Contact>,
    sortedByIndex: boolean,
  ): Promise<Page<Contact>> {
    const search = request.search?.trim()
    return this.table.list(workspace, {
      ...request,
      where,
      ...(sortedByIndex && { index: `contacts_by_${request.sort_field}` }),
      ...(search && { search: searchedText(search) }),
      searched: ['searched'],
    })
  }

  /** @throws 404 */
  async get(workspace: Owner, id: string): Promise<Contact> {
    const contact = await this.table.find(workspace, id)
    if (!contact) throw notFound(`Contact ${id} not found`)
    return contact
  }

  /** The contact added last of those that have a number; null when none has it, or it is no number. */
  async findByNumber(workspace: Owner, written: string): Promise<Contact | null> {
    const number = await this.numbers.digitsOf(workspace, written)
    if (number === null) return null
    const newest = await this.database.platformTable(ContactNumber).findOne({
      where: { workspace_id: workspace.id, number },
      order: { contact_id: 'DESC' },
    })
    return newest && this.table.find(workspace, newest.contact_id)
  }

  /** @throws 400 bad number or address book, 403 at the limit */
  async create(workspace: Owner, given: CreateContact): Promise<Contact> {
    const input = composedTexts(given)
    const now = new Date()
    const contact: Contact = {
      id: newId('con'),
      workspace_id: workspace.id,
      name: input.name,
      numbers: await normalizedNumbers(workspace, input.numbers, this.numbers),
      email: input.email ?? null,
      notes: input.notes ?? null,
      custom_fields: input.custom_fields ?? {},
      address_book_id: input.address_book_id ?? null,
      created_at: now,
      updated_at: now,
    }
    await this.checkAddressBook(workspace, input)
    return this.writing(async (tx) => {
      await checkLimit(tx, this.table, workspace, { max: this.max, what: 'contacts' })
      await this.table.in(tx).insert(contact)
      await replaceNumbers(tx, contact)
      return contact
    })
  }

  /** @throws 400 bad number or address book, 404 */
  async update(workspace: Owner, id: string, input: UpdateContact): Promise<Contact> {
    const changes: Partial<Contact> = {
      ...composedTexts(input),
      ...(input.numbers && { numbers: await normalizedNumbers(workspace, input.numbers, this.numbers) }),
      updated_at: new Date(),
    }
    await this.checkAddressBook(workspace, input)
    return this.writing(async (tx) => {
      const contact = await this.table.in(tx).lock(workspace, id)
      if (!contact) throw notFound(`Contact ${id} not found`)
      const changed = { ...contact, ...changes }
      await this.table.in(tx).update(workspace, id, changes)
      if (changes.numbers) await replaceNumbers(tx, changed)
      return changed
    })
  }

  /** @throws 404 */
  async delete(workspace: Owner, id: string): Promise<Contact> {
    const contact = await this.get(workspace, id)
    await this.table.delete(workspace, id)
    return contact
  }

  /** For a workspace that is being deleted. */
  async deleteAll(tx: EntityManager, workspace: Owner): Promise<void> {
    await this.table.in(tx).deleteAll(workspace)
  }

  /** @throws 400 */
  private async checkAddressBook(workspace: Owner, { address_book_id: id }: UpdateContact): Promise<void> {
    if (id === undefined || id === null) return
    const known = await idsAmong(this.database, 'address_books', workspace, [id])
    if (!known.has(id)) throw noAddressBook()
  }

  private async writing<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(work)
    } catch (error) {
      throw isMissingReference(error) ? noAddressBook() : error
    }
  }
}

/** Texts in Unicode's composed form (NFC), in which a search without accents finds them. */
function composedTexts<T extends Partial<Pick<Contact, 'name' | 'notes' | 'custom_fields'>>>(input: T): T {
  const { name, notes, custom_fields } = input
  return {
    ...input,
    ...(name !== undefined && { name: composed(name) }),
    ...(typeof notes === 'string' && { notes: composed(notes) }),
    ...(custom_fields && {
      custom_fields: Object.fromEntries(
        Object.entries(custom_fields).map(([field, value]) => [field, composed(value)]),
      ),
    }),
  }
}

function noAddressBook() {
  return invalidField('address_book_id', 'address_book_id is not an address book of this workspace')
}

/** Numbers are searched by their digits, however they are written. */
function searchedText(text: string): string {
  const isNumber = /^\+?[\d ().-]*\d[\d ().-]*$/.test(text)
  return isNumber ? text.replace(/[ ().-]/g, '') : text
}

function holding(workspace: Owner, number: string): FindOperator<string> {
  return Raw(
    (id) =>
      `${id} IN (SELECT contact_id FROM contact_numbers WHERE workspace_id = :owner AND number = :number)`,
    { owner: workspace.id, number },
  ) as FindOperator<string>
}
