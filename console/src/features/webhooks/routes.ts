import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
import { listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { adminRoute } from '../../app/routes'
import { deliveriesQuery, deliveriesSearchOf, deliveryQuery, webhookQuery, webhooksQuery } from './queries'

const allRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/webhooks',
  validateSearch: listSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(webhooksQuery(deps))),
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

export const webhooksRoutes = [allRoute, oneRoute, deliveryRoute] as const
