import { IconHome } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { overviewQuery } from './queries'

const homeRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/home',
  staticData: { menu: { section: 'desk', icon: IconHome, texts: 'home' } },
  loader: () => ahead(queryClient.query(overviewQuery)),
  component: pageOf(async () => import('./pages/home-page'), 'HomePage'),
})

export const homeFeature = [homeRoute] as const
