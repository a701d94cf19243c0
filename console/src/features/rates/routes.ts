import { createRoute } from '@tanstack/react-router'
import { listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { pageOf } from '../../app/page-route'
import { operatorRoute } from '../../app/routes'
import { deckWorkspacesQuery, rateDeckQuery, rateDecksQuery, ratesQuery, ratesSearchOf } from './queries'

const rateDecksRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/rate-decks',
  validateSearch: listSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(rateDecksQuery(deps))),
  component: pageOf(async () => import('./pages/rate-decks-page'), 'RateDecksPage'),
})

const rateDeckRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/rate-decks/$id',
  validateSearch: ratesSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { id }, deps }) => {
    ahead(queryClient.query(rateDeckQuery(id)))
    ahead(queryClient.query(ratesQuery(id, deps)))
    ahead(queryClient.query(deckWorkspacesQuery(id, 1)))
  },
  component: pageOf(async () => import('./pages/rate-deck-page'), 'RateDeckPage'),
})

export const ratesRoutes = [rateDecksRoute, rateDeckRoute] as const
