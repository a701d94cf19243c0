/** All tables, for the data source. */
import { AgentSession } from './auth/agent-session.entity.js'
import { AgentClaim } from './calls/model/agent-claim.entity.js'
import { Agent } from './agents/agent.entity.js'
import { CallFlow, CallFlowReference } from './call-flows/call-flow.entity.js'
import { CallFlowVersion } from './call-flows/flow-versions.js'
import { CallEvent } from './calls/model/call-event.entity.js'
import { CallLeg } from './calls/model/call-leg.entity.js'
import { CallStream } from './calls/media-streams/call-stream.entity.js'
import { Call } from './calls/model/call.entity.js'
import { Cell } from './cells/cell.entity.js'
import { LiveCallCount } from './calls/model/live-call-count.entity.js'
import { QueueEntry } from './calls/queue/queue-entry.entity.js'
import { AiProviderKey } from './ai-providers/ai-provider-key.entity.js'
import { AiProvider } from './ai-providers/ai-provider.entity.js'
import { AuditEntry } from './database/audit-entry.entity.js'
import { AddressBook, AddressBookTeam } from './contacts/address-book.entity.js'
import { Contact, ContactNumber } from './contacts/contact.entity.js'
import { IdempotencyKey } from './database/idempotency.js'
import { OutboxJob } from './database/outbox.js'
import { Audio } from './media/audio.entity.js'
import { Extension } from './extensions/extension.entity.js'
import { ChosenState } from './presence/chosen-state.entity.js'
import { PhoneNumber } from './phone-numbers/phone-number.entity.js'
import { NumberCodeCount, NumberVerificationCode } from './phone-numbers/number-verification.entity.js'
import { KeptNumberFees } from './phone-numbers/kept-number-fees.entity.js'
import { PhoneNumberTeam } from './phone-numbers/phone-number-team.entity.js'
import { registeredTables } from './resources/registered.js'
import { Recording } from './recordings/recording.entity.js'
import { SipAccount } from './sip-accounts/sip-account.entity.js'
import { Carrier, CarrierLease, NumberCarrier } from './messages/carriers/carrier.entity.js'
import { ConversationNote } from './conversations/conversation-note.entity.js'
import { Conversation } from './conversations/conversation.entity.js'
import { MessageSegment, QueuedMessage, UnmatchedReceipt } from './messages/dispatch/dispatch.entity.js'
import { InboundSegmentRow } from './messages/inbound/inbound-segment.entity.js'
import { MessageSettingsRow } from './messages/settings/message-settings.entity.js'
import { OptOut } from './messages/inbound/opt-out.entity.js'
import { MessageAttachment } from './messages/media/message-attachment.entity.js'
import { MessageUpload } from './messages/media/message-upload.entity.js'
import { Message } from './messages/message.entity.js'
import { PushCredential } from './push/push-credential.entity.js'
import { InboundAclAddress, InboundAclHost } from './sip-trunks/inbound-acl-address.entity.js'
import { GatewayPing } from './sip-trunks/gateway-ping.entity.js'
import { GatewayAddress } from './sip-trunks/gateway-address.entity.js'
import { GatewayRegistration } from './sip-trunks/gateway-registration.entity.js'
import { InboundAcl } from './sip-trunks/inbound-acl.entity.js'
import { OutboundGateway } from './sip-trunks/outbound-gateway.entity.js'
import { EvaluationResult } from './voice-agents/evaluations/evaluation-result.entity.js'
import { EvaluationScript } from './voice-agents/evaluations/evaluation-script.entity.js'
import { Evaluation } from './voice-agents/evaluations/evaluation.entity.js'
import { InstructionConversation } from './voice-agents/instructions/instruction-conversation.entity.js'
import { InstructionResponse } from './voice-agents/instructions/instruction-response.entity.js'
import { VoiceAgentSettings } from './voice-agents/voice-agent-settings.entity.js'
import { VoiceAgentTool } from './voice-agents/voice-agent-tool.entity.js'
import { VoiceAgent } from './voice-agents/voice-agent.entity.js'
import { TeamMember } from './teams/team-member.entity.js'
import { Team } from './teams/team.entity.js'
import { SigningSecret } from './callbacks/signing-secret.entity.js'
import { QueuedDelivery, WebhookDelivery } from './webhooks/webhook-delivery.entity.js'
import { DeviceRegistration } from './devices/device-registration.entity.js'
import { Webhook } from './webhooks/webhook.entity.js'
import { ApiKey } from './workspaces/api-key.entity.js'
import { CreditBalance } from './workspaces/credit-balance.entity.js'
import { CreditEntry } from './workspaces/credit-entry.entity.js'
import { Workspace } from './workspaces/workspace.entity.js'
import { Alert } from './alerts/alert.entity.js'
import { DeckRate } from './rates/deck-rate.entity.js'
import { RateDeck } from './rates/rate-deck.entity.js'
import { CallDialogue } from './voice-agents/sessions/call-dialogue.entity.js'
import { VoiceAgentSession } from './voice-agents/sessions/voice-agent-session.entity.js'
import { Erasure } from './retention/erasures/erasure.entity.js'
import { PlatformState } from './maintenance/platform-state.entity.js'

export const entities = [
  Workspace,
  ApiKey,
  CreditBalance,
  CreditEntry,
  Alert,
  RateDeck,
  DeckRate,
  Agent,
  AgentClaim,
  AgentSession,
  ChosenState,
  Team,
  TeamMember,
  InboundAcl,
  InboundAclAddress,
  InboundAclHost,
  GatewayAddress,
  GatewayPing,
  GatewayRegistration,
  OutboundGateway,
  PhoneNumber,
  PhoneNumberTeam,
  KeptNumberFees,
  NumberVerificationCode,
  NumberCodeCount,
  SipAccount,
  Extension,
  Audio,
  Call,
  Cell,
  CallLeg,
  CallStream,
  CallEvent,
  LiveCallCount,
  QueueEntry,
  CallFlow,
  CallFlowReference,
  CallFlowVersion,
  AddressBook,
  AddressBookTeam,
  Contact,
  ContactNumber,
  Webhook,
  WebhookDelivery,
  QueuedDelivery,
  OutboxJob,
  IdempotencyKey,
  AuditEntry,
  VoiceAgent,
  VoiceAgentSettings,
  VoiceAgentTool,
  PushCredential,
  DeviceRegistration,
  SigningSecret,
  Recording,
  Carrier,
  CarrierLease,
  NumberCarrier,
  Conversation,
  ConversationNote,
  OptOut,
  MessageSettingsRow,
  Message,
  MessageAttachment,
  MessageUpload,
  QueuedMessage,
  MessageSegment,
  UnmatchedReceipt,
  InboundSegmentRow,
  AiProvider,
  AiProviderKey,
  VoiceAgentSession,
  CallDialogue,
  InstructionConversation,
  InstructionResponse,
  EvaluationScript,
  Evaluation,
  EvaluationResult,
  PlatformState,
  Erasure,
  ...registeredTables,
]
