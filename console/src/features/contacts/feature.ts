import { IconAddressBook, IconBook2 } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { booksQuery, contactsQuery, contactsSearchOf } from './queries'

const contactsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/contacts',
  staticData: {
    menu: { section: 'people', icon: IconAddressBook, texts: 'contacts/contacts' },
  },
  ...listOf(contactsQuery, contactsSearchOf),
  component: pageOf(async () => import('./pages/contacts-page'), 'ContactsPage'),
})

const addressBooksRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/address-books',
  staticData: {
    menu: { section: 'people', icon: IconBook2, texts: 'contacts/addressBooks' },
  },
  ...listOf(booksQuery),
  component: pageOf(async () => import('./pages/address-books-page'), 'AddressBooksPage'),
})

export const contactsFeature = [contactsRoute, addressBooksRoute] as const
