/**
 * Events that appear in more than one place: on a call's timeline, in webhooks, on event streams; and when each is sent. Each
 * place picks its own.
 */
const events = {
  'call.created': 'A call was created',
  'call.ringing': 'The called party rings',
  'call.answered': 'A call was answered',
  'call.started': 'The script or flow of a call starts',
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
  'call.node': 'A node of its flow ran, with its outcome',
  'call.action': 'An action ran, with its outcome',
  'call.callback': 'Your server was asked',
  'call.tool': 'A voice agent used a tool',
  'call.keys': 'The caller pressed keys during a conversation with a voice agent',
  'call.queued': 'The caller waits in the queue of a team',
  'call.transfer': 'A transfer began or ended',
  'call.stream': 'An audio stream began or ended',
}
type SharedEvent = keyof typeof events

/** @returns the texts of these events, in this order */
export function textsOf<Name extends SharedEvent>(...names: readonly Name[]): Pick<typeof events, Name> {
  const picked: Partial<Record<SharedEvent, string>> = {}
  for (const name of names) picked[name] = events[name]
  return picked as Pick<typeof events, Name>
}
