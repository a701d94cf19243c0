import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
import { listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { adminRoute } from '../../app/routes'
import { contactsQuery } from './queries'

const contactsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/contacts',
  validateSearch: listSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(contactsQuery(deps))),
  component: pageOf(async () => import('./pages/contacts-page'), 'ContactsPage'),
})

export const contactsRoutes = [contactsRoute] as const
