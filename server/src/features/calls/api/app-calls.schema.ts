import Type, { type Static } from 'typebox'
import { patterned, printable } from '../../../infrastructure/http/shapes.js'
import { maxClientAddress } from '../model/client-address.js'

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
    'For an agent: an E.164 number, an extension, the username of an agent or SIP account, or client:<sub>. For a client: any text, which the flow of its token gets.',
  ),
  from: Type.Optional(
    party(
      0,
      64,
      'Caller id, in E.164. An agent may use numbers that are shared with one of their teams or with all; the oldest of these when empty or left out.',
    ),
  ),
  type: Type.Optional(Type.Enum(['audio', 'video'], { description: 'audio by default' })),
})
export type MakeAppCall = Static<typeof MakeAppCall>

export const MadeAppCallShape = Type.Object(
  {
    call_id: Type.String(),
    ws_url: Type.String({ description: 'WebSocket of the call; connect within 30 seconds' }),
    call_token: Type.String({
      description: 'Token to send in `session.connect`, within 3 seconds; valid for 15 minutes',
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
