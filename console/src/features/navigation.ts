/** Menu entries of all features, in order. */
import type { NavigationItem } from '../app/navigation'
import { alertsNavigation, platformAlertsNavigation } from './alerts/navigation'
import { audiosNavigation } from './audios/navigation'
import { contactsNavigation } from './contacts/navigation'
import { erasuresNavigation } from './erasures/navigation'
import { messagesNavigation, optOutsNavigation } from './messages/navigation'
import { numbersNavigation } from './numbers/navigation'
import { trunksNavigation } from './trunks/navigation'
import { sipAccountsNavigation } from './sip-accounts/navigation'
import { extensionsNavigation } from './extensions/navigation'
import { agentsNavigation } from './agents/navigation'
import { ownTeamsNavigation, teamsNavigation } from './teams/navigation'
import { apiKeysNavigation } from './api-keys/navigation'
import { inboxNavigation } from './inbox/navigation'
import { historyNavigation } from './history/navigation'
import { liveNavigation } from './live/navigation'
import { phoneNavigation } from './phone/navigation'
import { voiceAgentsNavigation } from './voice-agents/navigation'
import { callsNavigation } from './calls/navigation'
import { flowsNavigation } from './flows/navigation'
import { usageNavigation } from './usage/navigation'
import { auditLogNavigation } from './audit-log/navigation'
import { workspaceNavigation } from './workspace/navigation'
import { webhooksNavigation } from './webhooks/navigation'
import { pushCredentialsNavigation } from './push-credentials/navigation'
import { healthNavigation, operatorNavigation } from './operator/navigation'
import { carriersNavigation } from './carriers/navigation'
import { ratesNavigation } from './rates/navigation'
import { platformAuditNavigation } from './platform-audit/navigation'
import { platformGatewaysNavigation } from './platform-gateways/navigation'
import { aiProvidersNavigation } from './ai-providers/navigation'

export const featureNavigation: readonly NavigationItem[] = [
  ...phoneNavigation,
  ...inboxNavigation,
  ...liveNavigation,
  ...historyNavigation,
  ...ownTeamsNavigation,
  ...numbersNavigation,
  ...trunksNavigation,
  ...sipAccountsNavigation,
  ...extensionsNavigation,
  ...audiosNavigation,
  ...agentsNavigation,
  ...teamsNavigation,
  ...contactsNavigation,
  ...optOutsNavigation,
  ...erasuresNavigation,
  ...flowsNavigation,
  ...voiceAgentsNavigation,
  ...callsNavigation,
  ...messagesNavigation,
  ...workspaceNavigation,
  ...apiKeysNavigation,
  ...usageNavigation,
  ...alertsNavigation,
  ...auditLogNavigation,
  ...webhooksNavigation,
  ...pushCredentialsNavigation,
  ...operatorNavigation,
  ...platformGatewaysNavigation,
  ...carriersNavigation,
  ...ratesNavigation,
  ...platformAlertsNavigation,
  ...aiProvidersNavigation,
  ...healthNavigation,
  ...platformAuditNavigation,
]
