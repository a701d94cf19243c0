import { IconSparkles } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { operatorRoute } from '../../app/routes'
import { aiProviderQuery, aiProvidersQuery } from './queries'

const aiProvidersRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/ai-providers',
  staticData: {
    menu: { section: 'platform', icon: IconSparkles, texts: 'ai-providers' },
  },
  ...listOf(aiProvidersQuery),
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

export const aiProvidersFeature = [aiProvidersRoute, newAiProviderRoute, aiProviderRoute] as const
