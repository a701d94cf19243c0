/** The events of `GET /stream`, and when each is sent. */
import { textsOf } from '../../infrastructure/database/shared-events.js'

const events = {
  'call.ring': 'A call rings for the reader',
  'call.canceled': 'A call no longer rings for the reader',
  ...textsOf(
    'call.created',
    'call.ringing',
    'call.answered',
    'call.started',
    'call.ended',
    'call.node',
    'call.action',
    'call.callback',
    'call.tool',
    'call.ivr_collected',
    'call.keys',
    'call.machine_detection',
    'call.queued',
    'call.transfer',
    'call.stream',
  ),
  'recording.started': 'A recording began',
  'recording.paused': 'A recording has silence in place of what is said from now on',
  'recording.resumed': 'A recording has what is said again',
  'recording.completed': 'A recording ended',
  ...textsOf(
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
  'conversation.updated': 'A conversation changed',
  'workspace.agent.state': 'The presence of an agent changed',
  'live.calls': 'Calls of the live board changed',
  'waiting.changed': 'A missed call or a voicemail of the reader came, was marked, or was transcribed',
  'stream.opened': 'The stream is open: the first event',
  'stream.reset': 'Events were lost: ask for the state again',
  'stream.heartbeat': 'Nothing else happened for a while',
  'stream.closed': 'The server ends the stream, for a reason',
}
export type StreamEventName = keyof typeof events

export const streamEvents: Readonly<Record<StreamEventName, string>> = events
