import Type, { type Static } from 'typebox'
import { patterned, printable } from '../http/shapes.js'
import { maxClientAddress } from './client-address.js'

const party = (minLength: number, maxLength: number, description: string) =>
  Type.String({
    ...{ minLength, maxLength, pattern: printable },
    'x-rule': 'free of control characters',
    description,
  })

export const MakeAppCall = Type.Object({
  to: party(
    1,
    maxClientAddress,
    'An agent reaches an E.164 number, an extension, the username of an agent or SIP account, or client:<sub>. What a client dials is handed to the flow of its token.',
  ),
  from: Type.Optional(
    party(
      0,
      64,
      'E.164: the number that is shown. An agent may use those that are shared with a team of theirs, or with all. Empty, or left out: the oldest such number.',
    ),
  ),
  type: Type.Optional(Type.Enum(['audio', 'video'], { description: 'audio by default' })),
})
export type MakeAppCall = Static<typeof MakeAppCall>

export const MadeAppCallShape = Type.Object(
  {
    call_id: Type.String(),
    ws_url: Type.String({ description: 'The WebSocket of the call, to connect to within 30 seconds' }),
    call_token: Type.String({
      description: 'What `session.connect` brings, within 3 seconds; valid for 15 minutes',
    }),
  },
  { title: 'MadeAppCall' },
)

export const RejectCall = Type.Object({
  reason: Type.Optional(
    Type.String({ maxLength: 256, pattern: printable, 'x-rule': 'free of control characters' }),
  ),
})

export const RejectedCallShape = Type.Object(
  { call_id: Type.String(), status: Type.Enum(['rejected']) },
  { title: 'RejectedCall' },
)

export const callParams = Type.Object({ call_id: patterned('^[!-~]{1,64}$', 'an id') })
