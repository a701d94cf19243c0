/** All tables, for the data source. */
import { AgentInvitation } from '../features/auth/agent-invitation.entity.js'
import { OperatorEntry } from '../features/workspaces/operator-entry.entity.js'
import { AgentSession } from '../features/auth/agent-session.entity.js'
import { AgentClaim } from '../features/calls/model/agent-claim.entity.js'
import { Agent } from '../features/agents/agent.entity.js'
import { CallFlow, CallFlowReference } from '../features/call-flows/call-flow.entity.js'
import { CallFlowDraft } from '../features/call-flows/flow-drafts.js'
import { CallFlowVersion } from '../features/call-flows/flow-versions.js'
import { CallEvent } from '../features/calls/model/call-event.entity.js'
import { CallOffer } from '../features/calls/model/call-offer.entity.js'
import { MissedCall } from '../features/calls/model/missed-call.entity.js'
import { QueueWait } from '../features/calls/model/queue-wait.entity.js'
import { CallLeg } from '../features/calls/model/call-leg.entity.js'
import { CallStream } from '../features/calls/media-streams/call-stream.entity.js'
import { Call } from '../features/calls/model/call.entity.js'
import { Cell } from '../features/cells/cell.entity.js'
import { LiveCallCount } from '../features/calls/model/live-call-count.entity.js'
import { QueueEntry } from '../features/calls/queue/queue-entry.entity.js'
import { AiProviderKey } from '../features/ai-providers/ai-provider-key.entity.js'
import { AiProvider } from '../features/ai-providers/ai-provider.entity.js'
import { AuditEntry } from '../infrastructure/database/audit-entry.entity.js'
import { AddressBook, AddressBookTeam } from '../features/contacts/address-book.entity.js'
import { Contact, ContactNumber } from '../features/contacts/contact.entity.js'
import { IdempotencyKey } from '../infrastructure/database/idempotency.js'
import { OutboxJob } from '../infrastructure/database/outbox.js'
import { Audio } from '../features/audio/audio.entity.js'
import { Extension } from '../features/extensions/extension.entity.js'
import { ChosenState } from '../features/presence/chosen-state.entity.js'
import { PhoneNumber } from '../features/phone-numbers/phone-number.entity.js'
import {
  NumberCodeCount,
  NumberVerificationCode,
} from '../features/phone-numbers/number-verification.entity.js'
import { KeptNumberFees } from '../features/phone-numbers/kept-number-fees.entity.js'
import { PhoneNumberTeam } from '../features/phone-numbers/phone-number-team.entity.js'
import { registeredTables } from './registered-resources.js'
import { Recording } from '../features/recordings/recording.entity.js'
import { SipAccount } from '../features/sip-accounts/sip-account.entity.js'
import { Carrier, CarrierLease } from '../features/messages/carriers/carrier.entity.js'
import { NumberCarrier } from '../features/phone-numbers/number-carrier.entity.js'
import { ConversationNote } from '../features/conversations/conversation-note.entity.js'
import { Conversation } from '../features/conversations/conversation.entity.js'
import {
  MessageSegment,
  QueuedMessage,
  UnmatchedReceipt,
} from '../features/messages/dispatch/dispatch.entity.js'
import { InboundSegmentRow } from '../features/messages/inbound/inbound-segment.entity.js'
import { MessageSettingsRow } from '../features/messages/settings/message-settings.entity.js'
import { OptOut } from '../features/messages/inbound/opt-out.entity.js'
import { MessageAttachment } from '../features/messages/media/message-attachment.entity.js'
import { MessageUpload } from '../features/messages/media/message-upload.entity.js'
import { Message } from '../features/messages/message.entity.js'
import { PushCredential } from '../features/push/push-credential.entity.js'
import { InboundAclAddress, InboundAclHost } from '../features/sip-trunks/inbound-acl-address.entity.js'
import { GatewayPing } from '../features/sip-trunks/gateway-ping.entity.js'
import { GatewayAddress } from '../features/sip-trunks/gateway-address.entity.js'
import { GatewayRegistration } from '../features/sip-trunks/gateway-registration.entity.js'
import { InboundAcl } from '../features/sip-trunks/inbound-acl.entity.js'
import { OutboundGateway } from '../features/sip-trunks/outbound-gateway.entity.js'
import { EvaluationResult } from '../features/voice-agents/evaluations/evaluation-result.entity.js'
import { EvaluationScript } from '../features/voice-agents/evaluations/evaluation-script.entity.js'
import { Evaluation } from '../features/voice-agents/evaluations/evaluation.entity.js'
import { InstructionConversation } from '../features/voice-agents/instructions/instruction-conversation.entity.js'
import { InstructionResponse } from '../features/voice-agents/instructions/instruction-response.entity.js'
import { VoiceAgentSettings } from '../features/voice-agent-sessions/voice-agent-settings.entity.js'
import { VoiceAgentTool } from '../features/voice-agents/voice-agent-tool.entity.js'
import { VoiceAgent } from '../features/voice-agents/voice-agent.entity.js'
import { TeamMember } from '../features/teams/team-member.entity.js'
import { Team } from '../features/teams/team.entity.js'
import { SigningSecret } from '../features/callbacks/signing-secret.entity.js'
import { QueuedDelivery, WebhookDelivery } from '../features/webhooks/webhook-delivery.entity.js'
import { DeviceRegistration } from '../features/devices/device-registration.entity.js'
import { Webhook } from '../features/webhooks/webhook.entity.js'
import { ApiKey } from '../features/workspaces/api-key.entity.js'
import { CreditBalance } from '../features/workspaces/credit-balance.entity.js'
import { CreditEntry } from '../features/workspaces/credit-entry.entity.js'
import { Workspace } from '../features/workspaces/workspace.entity.js'
import { Alert } from '../features/alerts/alert.entity.js'
import { DeckRate } from '../features/rates/deck-rate.entity.js'
import { RateDeck } from '../features/rates/rate-deck.entity.js'
import { CallDialogue } from '../features/voice-agent-sessions/call-dialogue.entity.js'
import { VoiceAgentSession } from '../features/voice-agent-sessions/voice-agent-session.entity.js'
import { Erasure } from '../features/retention/erasures/erasure.entity.js'
import { PlatformState } from '../features/maintenance/platform-state.entity.js'

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
  AgentInvitation,
  OperatorEntry,
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
  QueueWait,
  CallOffer,
  MissedCall,
  CallFlow,
  CallFlowDraft,
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
