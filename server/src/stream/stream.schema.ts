import Type from 'typebox'
import { Id } from '../http/shapes.js'

export const StreamQuery = Type.Object({
  token: Type.Optional(
    Type.String({ maxLength: 4_096, description: 'The token, where no Authorization header can be sent' }),
  ),
  call_id: Type.Optional(Id({ description: 'Only the events of this call' })),
  last_event_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'The same as the header Last-Event-ID' }),
  ),
})

export const EventStream = Type.String({ contentMediaType: 'text/event-stream' })
