import { IconRobot } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import {
  evaluationQuery,
  evaluationsQuery,
  providersQuery,
  scriptsQuery,
  toolsQuery,
  versionsQuery,
  voiceAgentQuery,
  voiceAgentsQuery,
} from './queries'

const getParentRoute = () => adminRoute

/** A version number in a URL; undefined for anything else. */
function versionOf(value: unknown): number | undefined {
  const version = Number(value)
  return Number.isInteger(version) && version > 0 ? version : undefined
}

const versionSearchOf = (search: Record<string, unknown>): { version?: number } => {
  const version = versionOf(search['version'])
  return version === undefined ? {} : { version }
}

const listRoute = createRoute({
  getParentRoute,
  path: '/voice-agents',
  staticData: {
    menu: { section: 'automation', icon: IconRobot, texts: 'voice-agents' },
  },
  ...listOf(voiceAgentsQuery),
  component: pageOf(async () => import('./pages/voice-agents-page'), 'VoiceAgentsPage'),
})

const newRoute = createRoute({
  getParentRoute,
  path: '/voice-agents/new',
  component: pageOf(async () => import('./pages/new-voice-agent-page'), 'NewVoiceAgentPage'),
})

const providersRoute = createRoute({
  getParentRoute,
  path: '/voice-agents/providers',
  loader: () => ahead(queryClient.query(providersQuery)),
  component: pageOf(async () => import('./pages/providers-page'), 'ProvidersPage'),
})

const settingsRoute = createRoute({
  getParentRoute,
  path: '/voice-agents/$id',
  validateSearch: versionSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { id }, deps }) => {
    ahead(queryClient.query(voiceAgentQuery(id, deps.version)))
    ahead(queryClient.query(versionsQuery(id)))
    ahead(queryClient.query(toolsQuery(id)))
  },
  component: pageOf(async () => import('./pages/settings-page'), 'SettingsPage'),
})

const compareRoute = createRoute({
  getParentRoute,
  path: '/voice-agents/$id/compare',
  validateSearch: (search: Record<string, unknown>): { left?: number; right?: number } => {
    const [left, right] = [versionOf(search['left']), versionOf(search['right'])]
    return { ...(left !== undefined && { left }), ...(right !== undefined && { right }) }
  },
  loader: ({ params: { id } }) => ahead(queryClient.query(versionsQuery(id))),
  component: pageOf(async () => import('./pages/compare-page'), 'ComparePage'),
})

const toolsRoute = createRoute({
  getParentRoute,
  path: '/voice-agents/$id/tools',
  loader: ({ params: { id } }) => ahead(queryClient.query(toolsQuery(id))),
  component: pageOf(async () => import('./pages/tools-page'), 'ToolsPage'),
})

const evaluationsRoute = createRoute({
  getParentRoute,
  path: '/voice-agents/$id/evaluations',
  loader: ({ params: { id } }) => {
    ahead(queryClient.query(scriptsQuery(id)))
    ahead(queryClient.query(evaluationsQuery(id)))
  },
  component: pageOf(async () => import('./pages/evaluations-page'), 'EvaluationsPage'),
})

const evaluationRoute = createRoute({
  getParentRoute,
  path: '/voice-agents/$id/evaluations/$evaluationId',
  loader: ({ params: { id, evaluationId } }) => ahead(queryClient.query(evaluationQuery(id, evaluationId))),
  component: pageOf(async () => import('./pages/evaluation-page'), 'EvaluationPage'),
})

const talkRoute = createRoute({
  getParentRoute,
  path: '/voice-agents/$id/talk',
  validateSearch: versionSearchOf,
  loader: ({ params: { id } }) => ahead(queryClient.query(versionsQuery(id))),
  component: pageOf(async () => import('./pages/talk-page'), 'TalkPage'),
})

export const voiceAgentsFeature = [
  listRoute,
  newRoute,
  providersRoute,
  settingsRoute,
  compareRoute,
  toolsRoute,
  evaluationsRoute,
  evaluationRoute,
  talkRoute,
] as const
