/** Pages of all features, each below the root that checks its role. Roots without pages are omitted. */
import { adminRoute, agentRoute, supervisorRoute, watcherRoute, operatorRoute } from '../app/routes'
import { accountRoutes } from './account/routes'
import { alertsRoutes, platformAlertsRoutes } from './alerts/routes'
import { audiosRoutes } from './audios/routes'
import { contactsRoutes } from './contacts/routes'
import { erasuresRoutes } from './erasures/routes'
import { messagesRoutes } from './messages/routes'
import { numbersRoutes } from './numbers/routes'
import { trunksRoutes } from './trunks/routes'
import { sipAccountsRoutes } from './sip-accounts/routes'
import { extensionsRoutes } from './extensions/routes'
import { agentsRoutes } from './agents/routes'
import { ownTeamsRoutes, teamsRoutes } from './teams/routes'
import { apiKeysRoutes } from './api-keys/routes'
import { cannedRepliesRoutes, inboxRoutes } from './inbox/routes'
import { historyRoutes } from './history/routes'
import { liveRoutes } from './live/routes'
import { phoneRoutes } from './phone/routes'
import { voiceAgentsRoutes } from './voice-agents/routes'
import { callsRoutes } from './calls/routes'
import { flowsRoutes } from './flows/routes'
import { usageRoutes } from './usage/routes'
import { auditLogRoutes } from './audit-log/routes'
import { workspaceRoutes } from './workspace/routes'
import { webhooksRoutes } from './webhooks/routes'
import { pushCredentialsRoutes } from './push-credentials/routes'
import { operatorRoutes } from './operator/routes'
import { carriersRoutes } from './carriers/routes'
import { ratesRoutes } from './rates/routes'
import { platformAuditRoutes } from './platform-audit/routes'
import { platformGatewaysRoutes } from './platform-gateways/routes'
import { aiProvidersRoutes } from './ai-providers/routes'

export const featureRoutes = [
  agentRoute.addChildren([...phoneRoutes, ...historyRoutes, ...inboxRoutes, ...accountRoutes]),
  supervisorRoute.addChildren([...cannedRepliesRoutes, ...ownTeamsRoutes]),
  watcherRoute.addChildren([...liveRoutes]),
  adminRoute.addChildren([
    ...flowsRoutes,
    ...numbersRoutes,
    ...trunksRoutes,
    ...sipAccountsRoutes,
    ...extensionsRoutes,
    ...audiosRoutes,
    ...agentsRoutes,
    ...teamsRoutes,
    ...contactsRoutes,
    ...erasuresRoutes,
    ...apiKeysRoutes,
    ...workspaceRoutes,
    ...auditLogRoutes,
    ...usageRoutes,
    ...alertsRoutes,
    ...webhooksRoutes,
    ...pushCredentialsRoutes,
    ...voiceAgentsRoutes,
    ...callsRoutes,
    ...messagesRoutes,
  ]),
  operatorRoute.addChildren([
    ...operatorRoutes,
    ...carriersRoutes,
    ...ratesRoutes,
    ...platformAlertsRoutes,
    ...aiProvidersRoutes,
    ...platformAuditRoutes,
    ...platformGatewaysRoutes,
  ]),
] as const
