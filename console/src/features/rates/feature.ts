import { IconReceipt2 } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { operatorRoute } from '../../app/routes'
import { deckWorkspacesQuery, rateDeckQuery, rateDecksQuery, ratesQuery, ratesSearchOf } from './queries'

const rateDecksRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/rate-decks',
  staticData: {
    menu: { section: 'platform', icon: IconReceipt2, texts: 'rates' },
  },
  ...listOf(rateDecksQuery),
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

export const ratesFeature = [rateDecksRoute, rateDeckRoute] as const
