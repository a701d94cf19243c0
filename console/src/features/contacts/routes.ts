import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
import { listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { adminRoute } from '../../app/routes'
import { booksQuery, contactsQuery, contactsSearchOf } from './queries'

const contactsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/contacts',
  validateSearch: contactsSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(contactsQuery(deps))),
  component: pageOf(async () => import('./pages/contacts-page'), 'ContactsPage'),
})

const addressBooksRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/address-books',
  validateSearch: listSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(booksQuery(deps))),
  component: pageOf(async () => import('./pages/address-books-page'), 'AddressBooksPage'),
})

export const contactsRoutes = [contactsRoute, addressBooksRoute] as const
