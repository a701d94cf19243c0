/** The events of webhooks (contract, section Events). */

/** All events that a webhook may ask for, and when each is sent. */
const events = {
  'call.created': 'A call was created',
  'call.ringing': 'The called party rings',
  'call.answered': 'A call was answered',
  'call.started': 'The script or flow of a call starts',
  'call.canceled': 'A call was given up before its answer',
  'call.ended': 'A call ended',
  'call.ivr_collected': 'An ivr action or node collected keys, or timed out',
  'call.machine_detection': 'It is known whether a person or a machine answered',
  'recording.ready': 'A recording can be downloaded',
  'voicemail.received': 'A voicemail can be downloaded',
  'transcription.started': 'The transcript of a voice agent’s conversation begins',
  'transcription.dialogue': 'A turn of the conversation was transcribed',
  'transcription.completed': 'The conversation with the voice agent ended',
  'transcription.ready': 'The transcript can be read',
  'message.received': 'A message came in',
  'message.sent': 'A carrier accepted a message',
  'message.delivered': 'The carrier reports that a message was delivered',
  'message.failed': 'No carrier accepted a message',
  'message.undelivered': 'A message could not be delivered, or its receipt never came',
  'gateway.approved': 'A gateway that waited for approval became active',
  'phone_number.verified': 'A phone number was verified',
  'alert.raised': 'An alert was raised',
} as const

export const webhookEvents: Readonly<Record<string, string>> = events

export const webhookEventNames = Object.keys(events) as (keyof typeof events)[]

/** Subscribes to all events, also those of later versions. */
export const everyEvent = '*'

/** What `POST /webhooks/:id/test` sends, to any webhook. */
export const testEvent = 'webhook.test'
