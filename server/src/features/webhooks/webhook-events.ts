/** The events of webhooks (contract, section Events). */
import { textsOf } from '../../infrastructure/database/shared-events.js'

/** All events that a webhook may ask for, and when each is sent. */
const events = {
  ...textsOf('call.created', 'call.ringing', 'call.answered', 'call.started'),
  'call.canceled': 'A call was given up before its answer',
  ...textsOf(
    'call.ended',
    'call.ivr_collected',
    'call.machine_detection',
    'recording.ready',
    'voicemail.received',
    'transcription.started',
    'transcription.dialogue',
    'transcription.completed',
    'transcription.ready',
    'message.received',
    'message.sent',
    'message.delivered',
    'message.failed',
    'message.undelivered',
  ),
  'gateway.approved': 'A gateway that waited for approval became active',
  'phone_number.verified': 'A phone number was verified',
  'alert.raised': 'An alert was raised',
}

export const webhookEvents: Readonly<Record<string, string>> = events

export const webhookEventNames = Object.keys(events) as (keyof typeof events)[]

/** Subscribes to all events, also those of later versions. */
export const everyEvent = '*'

/** What `POST /webhooks/:id/test` sends, to any webhook. */
export const testEvent = 'webhook.test'
