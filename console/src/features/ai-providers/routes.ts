import { createRoute } from '@tanstack/react-router'
import { listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { pageOf } from '../../app/page-route'
import { operatorRoute } from '../../app/routes'
import { aiProviderQuery, aiProvidersQuery } from './queries'

const aiProvidersRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/ai-providers',
  validateSearch: listSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(aiProvidersQuery(deps))),
  component: pageOf(async () => import('./pages/ai-providers-page'), 'AiProvidersPage'),
})

const newAiProviderRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/ai-providers/new',
  component: pageOf(async () => import('./pages/new-ai-provider-page'), 'NewAiProviderPage'),
})

const aiProviderRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/ai-providers/$id',
  loader: ({ params: { id } }) => ahead(queryClient.query(aiProviderQuery(id))),
  component: pageOf(async () => import('./pages/ai-provider-page'), 'AiProviderPage'),
})

export const aiProvidersRoutes = [aiProvidersRoute, newAiProviderRoute, aiProviderRoute] as const
