/** All migrations, in their order. A migration that has shipped is never changed: a new one is added. */
import { Workspaces1790000000001 } from './0001-workspaces.js'
import { TrunksAndNumbers1790000000002 } from './0002-trunks-and-numbers.js'
import { Audios1790000000003 } from './0003-audios.js'
import { Calls1790000000004 } from './0004-calls.js'
import { Outbox1790000000005 } from './0005-outbox.js'
import { PeopleAndPhones1790000000006 } from './0006-people-and-phones.js'
import { Webhooks1790000000007 } from './0007-webhooks.js'
import { VoiceAgentsAndPush1790000000008 } from './0008-voice-agents-and-push.js'
import { ContactsAndFlowReferences1790000000009 } from './0009-contacts-and-flow-references.js'
import { Edge1790000000010 } from './0010-edge.js'
import { PhoneCalls1790000000012 } from './0012-phone-calls.js'
import { Programs1790000000013 } from './0013-programs.js'
import { InboundAclAddresses1790000000014 } from './0014-inbound-acl-addresses.js'
import { Recordings1790000000015 } from './0015-recordings.js'
import { SoftphonesOfAgents1790000000016 } from './0016-softphones-of-agents.js'
import { CallLimits1790000000017 } from './0017-call-limits.js'
import { SigningSecrets1790000000018 } from './0018-signing-secrets.js'
import { TeamQueues1790000000019 } from './0019-team-queues.js'
import { AgentSessions1790000000020 } from './0020-agent-sessions.js'
import { Devices1790000000021 } from './0021-devices.js'
import { PresenceAndTeamCalls1790000000022 } from './0022-presence-and-team-calls.js'
import { CallsOfApps1790000000025 } from './0025-calls-of-apps.js'
import { Messages1790000000026 } from './0026-messages.js'
import { InboundMessages1790000000030 } from './0030-inbound-messages.js'
import { Inbox1790000000031 } from './0031-inbox.js'
import { VoiceAgentsInCalls1790000000034 } from './0034-voice-agents-in-calls.js'
import { AiProviders1790000000035 } from './0035-ai-providers.js'
import { CallStreams1790000000036 } from './0036-call-streams.js'
import { VoiceAgentEvaluations1790000000037 } from './0037-voice-agent-evaluations.js'
import { OpenVoiceAgentSessions1790000000038 } from './0038-open-voice-agent-sessions.js'
import { Admins1790000000039 } from './0039-admins.js'
import { MessageUploads1790000000040 } from './0040-message-uploads.js'
import { NumberedFlowVersions1790000000042 } from './0042-numbered-flow-versions.js'
import { CallHistory1790000000044 } from './0044-call-history.js'
import { SuspendedWorkspaces1790000000045 } from './0045-suspended-workspaces.js'
import { Uploaders1790000000047 } from './0047-uploaders.js'
import { DeliveryAttempts1790000000048 } from './0048-delivery-attempts.js'
import { RepeatedRefreshes1790000000049 } from './0049-repeated-refreshes.js'
import { PlatformStates1790000000051 } from './0051-platform-states.js'
import { RateDecks1790000000052 } from './0052-rate-decks.js'
import { CreditHolds1790000000053 } from './0053-credit-holds.js'
import { SpendLimits1790000000054 } from './0054-spend-limits.js'
import { Cells1790000000055 } from './0055-cells.js'
import { AgentsAcrossCells1790000000056 } from './0056-agents-across-cells.js'
import { Stir1790000000057 } from './0057-stir.js'
import { SwitchesOfEdges1790000000058 } from './0058-switches-of-edges.js'
import { CalledCountries1790000000060 } from './0060-called-countries.js'
import { CallSigning1790000000064 } from './0064-call-signing.js'
import { OneDefaultDeck1790000000065 } from './0065-one-default-deck.js'
import { UsualCalls1790000000070 } from './0070-usual-calls.js'
import { LastHeardCells1790000000075 } from './0075-last-heard-cells.js'
import { Guards1790000000076 } from './0076-guards.js'
import { GatewayAddresses1790000000080 } from './0080-gateway-addresses.js'
import { VerifiedTrunkNumbers1790000000081 } from './0081-verified-trunk-numbers.js'
import { KeptNumberFees1790000000082 } from './0082-kept-number-fees.js'
import { SigningKeys1790000000095 } from './0095-signing-keys.js'
import { LeadersOfTeams1790000000096 } from './0096-leaders-of-teams.js'
import { FormerEmails1790000000097 } from './0097-former-emails.js'
import { KnownDevices1790000000098 } from './0098-known-devices.js'
import { PendingMedia1790000000100 } from './0100-pending-media.js'
import { KeptBytes1790000000101 } from './0101-kept-bytes.js'
import { TrustedIdentities1790000000105 } from './0105-trusted-identities.js'
import { DeadDestinations1790000000106 } from './0106-dead-destinations.js'
import { PendingGateways1790000000110 } from './0110-pending-gateways.js'
import { NumberVerification1790000000111 } from './0111-number-verification.js'
import { PremiumRates1790000000112 } from './0112-premium-rates.js'
import { CalledClients1790000000115 } from './0115-called-clients.js'
import { TransfersBy1790000000120 } from './0120-transfers-by.js'
import { Retention1790000000125 } from './0125-retention.js'
import { Erasures1790000000126 } from './0126-erasures.js'
import { OutboxTurns1790000000132 } from './0132-outbox-turns.js'
import { AvatarBytes1790000000133 } from './0133-avatar-bytes.js'
import { DeletedWorkspaces1790000000135 } from './0135-deleted-workspaces.js'
import { AuditByAddress1790000000130 } from './0130-audit-by-address.js'
import { ErasedClients1790000000136 } from './0136-erased-clients.js'
import { AgentDomains1790000000127 } from './0127-agent-domains.js'
import { CodedParts1790000000145 } from './0145-coded-parts.js'
import { TypesOfNumbers1790000000146 } from './0146-types-of-numbers.js'
import { Originators1790000000147 } from './0147-originators.js'
import { TurnDetection1790000000140 } from './0140-turn-detection.js'
import { VoiceAgentLanguage1790000000141 } from './0141-voice-agent-language.js'
import { MessageSettings1790000000165 } from './0165-message-settings.js'
import { LookAlikes1790000000166 } from './0166-look-alikes.js'
import { WebhookHeaders1790000000160 } from './0160-webhook-headers.js'
import { WebhookSecrets1790000000161 } from './0161-webhook-secrets.js'
import { ComposedContacts1790000000162 } from './0162-composed-contacts.js'
import { GatewayPings1790000000171 } from './0171-gateway-pings.js'
import { ShortNumbers1790000000169 } from './0169-short-numbers.js'
import { DialCodes1790000000170 } from './0170-dial-codes.js'
import { Diversions1790000000172 } from './0172-diversions.js'
import { GatewayCodecs1790000000173 } from './0173-gateway-codecs.js'
import { MediaEncryption1790000000176 } from './0176-media-encryption.js'
import { GatewayHeaders1790000000178 } from './0178-gateway-headers.js'
import { TrunkSpellings1790000000179 } from './0179-trunk-spellings.js'
import { EmergencyGateways1790000000182 } from './0182-emergency-gateways.js'
import { GatewayRegistrations1790000000180 } from './0180-gateway-registrations.js'

export const migrations = [
  Workspaces1790000000001,
  TrunksAndNumbers1790000000002,
  Audios1790000000003,
  Calls1790000000004,
  Outbox1790000000005,
  PeopleAndPhones1790000000006,
  Webhooks1790000000007,
  VoiceAgentsAndPush1790000000008,
  ContactsAndFlowReferences1790000000009,
  Edge1790000000010,
  PhoneCalls1790000000012,
  Programs1790000000013,
  InboundAclAddresses1790000000014,
  Recordings1790000000015,
  SoftphonesOfAgents1790000000016,
  CallLimits1790000000017,
  SigningSecrets1790000000018,
  TeamQueues1790000000019,
  AgentSessions1790000000020,
  Devices1790000000021,
  PresenceAndTeamCalls1790000000022,
  CallsOfApps1790000000025,
  Messages1790000000026,
  InboundMessages1790000000030,
  Inbox1790000000031,
  VoiceAgentsInCalls1790000000034,
  AiProviders1790000000035,
  CallStreams1790000000036,
  VoiceAgentEvaluations1790000000037,
  OpenVoiceAgentSessions1790000000038,
  Admins1790000000039,
  MessageUploads1790000000040,
  NumberedFlowVersions1790000000042,
  CallHistory1790000000044,
  SuspendedWorkspaces1790000000045,
  Uploaders1790000000047,
  DeliveryAttempts1790000000048,
  RepeatedRefreshes1790000000049,
  PlatformStates1790000000051,
  RateDecks1790000000052,
  CreditHolds1790000000053,
  SpendLimits1790000000054,
  Cells1790000000055,
  AgentsAcrossCells1790000000056,
  Stir1790000000057,
  SwitchesOfEdges1790000000058,
  CalledCountries1790000000060,
  CallSigning1790000000064,
  OneDefaultDeck1790000000065,
  UsualCalls1790000000070,
  LastHeardCells1790000000075,
  Guards1790000000076,
  GatewayAddresses1790000000080,
  VerifiedTrunkNumbers1790000000081,
  KeptNumberFees1790000000082,
  SigningKeys1790000000095,
  LeadersOfTeams1790000000096,
  FormerEmails1790000000097,
  KnownDevices1790000000098,
  PendingMedia1790000000100,
  KeptBytes1790000000101,
  TrustedIdentities1790000000105,
  DeadDestinations1790000000106,
  PendingGateways1790000000110,
  NumberVerification1790000000111,
  PremiumRates1790000000112,
  CalledClients1790000000115,
  TransfersBy1790000000120,
  Retention1790000000125,
  Erasures1790000000126,
  AgentDomains1790000000127,
  OutboxTurns1790000000132,
  AvatarBytes1790000000133,
  DeletedWorkspaces1790000000135,
  AuditByAddress1790000000130,
  ErasedClients1790000000136,
  CodedParts1790000000145,
  TypesOfNumbers1790000000146,
  Originators1790000000147,
  TurnDetection1790000000140,
  VoiceAgentLanguage1790000000141,
  MessageSettings1790000000165,
  LookAlikes1790000000166,
  WebhookHeaders1790000000160,
  WebhookSecrets1790000000161,
  ComposedContacts1790000000162,
  GatewayPings1790000000171,
  ShortNumbers1790000000169,
  DialCodes1790000000170,
  Diversions1790000000172,
  GatewayCodecs1790000000173,
  MediaEncryption1790000000176,
  GatewayHeaders1790000000178,
  TrunkSpellings1790000000179,
  EmergencyGateways1790000000182,
  GatewayRegistrations1790000000180,
]
