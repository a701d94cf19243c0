/** Webhook events, grouped as in the form. */
import type { paths } from '@jackfield/sdk'
import type { TextKey } from '../../i18n/texts'
import type { webhooksTexts } from './texts'

type NewWebhook = paths['/webhooks']['post']['requestBody']['content']['application/json']
export type AskedEvents = NewWebhook['events']
type AskedEvent = Exclude<AskedEvents[number], '*'>
type TextName = TextKey<(typeof webhooksTexts)['en']>

/** All events, including those of later versions. */
export const everyEvent = '*'

/** Event type of a test delivery. */
export const testEvent = 'webhook.test'

/** Text key of each event's description. */
export const eventTexts: Readonly<Record<AskedEvent, TextName>> = {
  'call.created': 'callCreated',
  'call.ringing': 'callRinging',
  'call.answered': 'callAnswered',
  'call.started': 'callStarted',
  'call.canceled': 'callCanceled',
  'call.ended': 'callEnded',
  'call.ivr_collected': 'callIvrCollected',
  'call.machine_detection': 'callMachineDetection',
  'recording.ready': 'recordingReady',
  'voicemail.received': 'voicemailReceived',
  'transcription.started': 'transcriptionStarted',
  'transcription.dialogue': 'transcriptionDialogue',
  'transcription.completed': 'transcriptionCompleted',
  'transcription.ready': 'transcriptionReady',
  'message.received': 'messageReceived',
  'message.sent': 'messageSent',
  'message.delivered': 'messageDelivered',
  'message.failed': 'messageFailed',
  'message.undelivered': 'messageUndelivered',
  'gateway.approved': 'gatewayApproved',
  'phone_number.verified': 'numberVerified',
  'alert.raised': 'alertRaised',
}

/** In the order of the form. */
export const askedEvents = Object.keys(eventTexts) as AskedEvent[]

/** Events by subject. */
export const eventGroups: readonly (readonly [title: TextName, prefixes: readonly string[]])[] = [
  ['groupCalls', ['call']],
  ['groupRecordings', ['recording', 'voicemail']],
  ['groupTranscripts', ['transcription']],
  ['groupMessages', ['message']],
  ['groupAlerts', ['gateway', 'phone_number', 'alert']],
]
