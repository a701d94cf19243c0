import Type from 'typebox'
import { Id, patterned } from '../../infrastructure/http/shapes.js'

export const StreamQuery = Type.Object({
  token: Type.Optional(
    Type.String({ maxLength: 4_096, description: 'The token, where no Authorization header can be sent' }),
  ),
  call_id: Type.Optional(Id({ description: 'Only the events of this call' })),
  device_id: Type.Optional(
    patterned('^[!-~]{1,128}$', 'a device id', {
      description:
        'Of clients: the device that the app registers for pushes. An agent’s is that of the log-in. The device that answers a call gets no push about the answer.',
    }),
  ),
  last_event_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'The same as the header Last-Event-ID' }),
  ),
})

export const EventStream = Type.String({ contentMediaType: 'text/event-stream' })
