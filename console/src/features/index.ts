/** All features. Within a section of the menu, pages are in this order. */
import { accountFeature } from './account/feature'
import { agentsFeature } from './agents/feature'
import { aiProvidersFeature } from './ai-providers/feature'
import { alertsFeature } from './alerts/feature'
import { apiKeysFeature } from './api-keys/feature'
import { audiosFeature } from './audios/feature'
import { auditLogFeature } from './audit-log/feature'
import { callsFeature, ownCallsFeature } from './calls/feature'
import { carriersFeature } from './carriers/feature'
import { contactsFeature } from './contacts/feature'
import { erasuresFeature } from './erasures/feature'
import { extensionsFeature } from './extensions/feature'
import { flowsFeature } from './flows/feature'
import { homeFeature } from './home/feature'
import { inboxFeature } from './inbox/feature'
import { liveFeature } from './live/feature'
import { messagesFeature } from './messages/feature'
import { numbersFeature } from './numbers/feature'
import { healthFeature, operatorFeature } from './operator/feature'
import { phoneFeature } from './phone/feature'
import { platformAuditFeature } from './platform-audit/feature'
import { platformGatewaysFeature } from './platform-gateways/feature'
import { pushCredentialsFeature } from './push-credentials/feature'
import { ratesFeature } from './rates/feature'
import { sipAccountsFeature } from './sip-accounts/feature'
import { teamsFeature } from './teams/feature'
import { trunksFeature } from './trunks/feature'
import { usageFeature } from './usage/feature'
import { voiceAgentsFeature } from './voice-agents/feature'
import { voicemailsFeature } from './voicemails/feature'
import { webhooksFeature } from './webhooks/feature'
import { workspaceFeature } from './workspace/feature'

export const featurePages = [
  ...homeFeature,
  ...phoneFeature,
  ...inboxFeature,
  ...liveFeature,
  ...voicemailsFeature,
  ...ownCallsFeature,
  ...numbersFeature,
  ...trunksFeature,
  ...sipAccountsFeature,
  ...extensionsFeature,
  ...audiosFeature,
  ...agentsFeature,
  ...teamsFeature,
  ...contactsFeature,
  ...callsFeature,
  ...messagesFeature,
  ...erasuresFeature,
  ...flowsFeature,
  ...voiceAgentsFeature,
  ...workspaceFeature,
  ...apiKeysFeature,
  ...usageFeature,
  ...operatorFeature,
  ...platformGatewaysFeature,
  ...carriersFeature,
  ...ratesFeature,
  ...alertsFeature,
  ...auditLogFeature,
  ...webhooksFeature,
  ...pushCredentialsFeature,
  ...aiProvidersFeature,
  ...healthFeature,
  ...platformAuditFeature,
  ...accountFeature,
] as const
