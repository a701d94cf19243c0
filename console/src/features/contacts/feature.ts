import { IconAddressBook, IconBook2 } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'
import { booksQuery, contactsQuery, contactsSearchOf } from './queries'

const contactsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/contacts',
  staticData: {
    menu: { section: 'people', icon: IconAddressBook, label: () => textOf(menuTexts.contacts, 'title') },
  },
  ...listOf(contactsQuery, contactsSearchOf),
  component: pageOf(async () => import('./pages/contacts-page'), 'ContactsPage'),
})

const addressBooksRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/address-books',
  staticData: {
    menu: { section: 'people', icon: IconBook2, label: () => textOf(menuTexts.contacts, 'addressBooks') },
  },
  ...listOf(booksQuery),
  component: pageOf(async () => import('./pages/address-books-page'), 'AddressBooksPage'),
})

export const contactsFeature = [contactsRoute, addressBooksRoute] as const
