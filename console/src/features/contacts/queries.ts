import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { api } from '../../api/client'
import { type ChoiceSource, choicesLimit } from '../../api/choices'
import { type ListSearch, listSearchOf } from '../../api/lists'
import { keyOf, listQuery } from '../../api/resources'

export type Contact = components['schemas']['Contact']

export type AddressBook = components['schemas']['AddressBook']

export const contactsKey = keyOf('/contacts')
export const booksKey = keyOf('/address-books')

export interface ContactsSearch extends ListSearch {
  /** Id of an address book, or `none`. */
  book?: string
}

export function contactsSearchOf(search: Record<string, unknown>): ContactsSearch {
  const { book } = search
  return { ...listSearchOf(search), ...(typeof book === 'string' && { book }) }
}

/** The list's filters, as the API has them. */
export const contactsFilterOf = ({ book }: ContactsSearch) => ({ ...(book && { address_book_id: book }) })

export const contactsQuery = listQuery('/contacts', ['created_at', 'name'], contactsFilterOf)

export const booksQuery = listQuery('/address-books', ['created_at', 'title'])

const asChoice = ({ id, title }: AddressBook) => ({ value: id, label: title })

export const bookChoices: ChoiceSource = {
  key: booksKey,
  list: async (search, signal) => {
    const query = { limit: choicesLimit, search, sort_field: 'title', sort_order: 'asc' } as const
    return (await dataOf(api.GET('/address-books', { params: { query }, signal }))).data.map(asChoice)
  },
  one: async (id, signal) =>
    asChoice(await dataOf(api.GET('/address-books/{id}', { params: { path: { id } }, signal }))),
}
