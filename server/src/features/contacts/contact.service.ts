/** Contacts: callers and called parties of a workspace. */
import { type EntityManager, type FindOperator, type FindOptionsWhere, In, IsNull, Or, Raw } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { idsAmong } from '../../infrastructure/database/ids-among.js'
import { composed } from '../../infrastructure/database/search.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import { type ListRequest, type Page, none } from '../../infrastructure/http/lists.js'
import { type ResourceRow, ResourceService } from '../../infrastructure/resources/resource-service.js'
import { type WorkspaceNumbers, notANumber } from '../phone-numbers/workspace-numbers.js'
import { normalizedNumbers, replaceNumbers } from './contact-numbers.js'
import { type Contact, ContactNumber } from './contact.entity.js'
import { contactResource, noAddressBook } from './contact.resource.js'
import type { CreateContact, UpdateContact } from './contact.schema.js'

interface ContactList extends ListRequest {
  address_book_id?: string
  /** As it is written; contacts that have it. */
  number?: string
}

export class ContactService extends ResourceService<Contact, CreateContact, UpdateContact> {
  constructor(
    database: Database,
    private readonly numbers: WorkspaceNumbers,
    max: number,
  ) {
    super(contactResource, { database, max })
  }

  /** @throws 400 naming `number` when it is none */
  override async list(
    workspace: Owner,
    { address_book_id, number, ...request }: ContactList,
  ): Promise<Page<Contact>> {
    const where: FindOptionsWhere<Contact> = {
      ...(address_book_id !== undefined && {
        address_book_id: address_book_id === none ? IsNull() : address_book_id,
      }),
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
    })
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

  /** Brings a contact's numbers to E.164. @throws 400 */
  async normalize(workspace: Owner, contact: CreateContact): Promise<void> {
    contact.numbers = await normalizedNumbers(workspace, contact.numbers, this.numbers)
  }

  /** Ids of the contacts that were added last of those with these numbers, by number. @param numbers E.164 */
  async newestWith(workspace: Owner, numbers: readonly string[]): Promise<Map<string, string>> {
    if (numbers.length === 0) return new Map()
    const rows = await this.database.source.query<{ number: string; id: string }[]>(
      `SELECT number, MAX(contact_id) AS id FROM contact_numbers
       WHERE workspace_id = ? AND number IN (?) GROUP BY number`,
      [workspace.id, numbers.map((number) => number.slice(1))],
    )
    return new Map(rows.map(({ number, id }) => [`+${number}`, id]))
  }

  /** @throws 400 bad number or address book, 403 at the limit */
  override async create(workspace: Owner, given: CreateContact): Promise<Contact> {
    const input = composedTexts(given)
    const numbers = await normalizedNumbers(workspace, input.numbers, this.numbers)
    await this.checkAddressBook(workspace, input)
    return super.create(workspace, { ...input, numbers })
  }

  /** @throws 400 bad number or address book, 404 */
  override async update(workspace: Owner, id: string, given: UpdateContact): Promise<Contact> {
    const input = composedTexts(given)
    const numbers = input.numbers && (await normalizedNumbers(workspace, input.numbers, this.numbers))
    await this.checkAddressBook(workspace, input)
    return super.update(workspace, id, { ...input, ...(numbers && { numbers }) })
  }

  protected rowOf(base: ResourceRow, input: CreateContact): Contact {
    return { ...base, email: null, notes: null, custom_fields: {}, address_book_id: null, ...input }
  }

  protected changesOf(input: UpdateContact): Partial<Contact> {
    return input
  }

  protected override async written(
    tx: EntityManager,
    row: Contact,
    before: Contact | null,
  ): Promise<undefined> {
    if (row.numbers !== before?.numbers) await replaceNumbers(tx, row)
  }

  /** @throws 400 */
  private async checkAddressBook(workspace: Owner, { address_book_id: id }: UpdateContact): Promise<void> {
    if (id === undefined || id === null) return
    const known = await idsAmong(this.database, 'address_books', workspace, [id])
    if (!known.has(id)) throw noAddressBook()
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
