import { IconWebhook } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { deliveriesQuery, deliveriesSearchOf, deliveryQuery, webhookQuery, webhooksQuery } from './queries'

const allRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/webhooks',
  staticData: {
    menu: { section: 'workspace', icon: IconWebhook, texts: 'webhooks' },
  },
  ...listOf(webhooksQuery),
  component: pageOf(async () => import('./pages/webhooks-page'), 'WebhooksPage'),
})

const oneRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/webhooks/$id',
  validateSearch: deliveriesSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { id }, deps }) => {
    ahead(queryClient.query(webhookQuery(id)))
    ahead(queryClient.query(deliveriesQuery(id, deps)))
  },
  component: pageOf(async () => import('./pages/webhook-page'), 'WebhookPage'),
})

const deliveryRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/webhooks/$id/deliveries/$deliveryId',
  loader: ({ params: { id, deliveryId } }) => {
    ahead(queryClient.query(webhookQuery(id)))
    ahead(queryClient.query(deliveryQuery(id, deliveryId)))
  },
  component: pageOf(async () => import('./pages/delivery-page'), 'DeliveryPage'),
})

export const webhooksFeature = [allRoute, oneRoute, deliveryRoute] as const
