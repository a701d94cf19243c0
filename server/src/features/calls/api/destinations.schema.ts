/** Who and what an agent can call, or hand a call over to. */
import Type, { type Static } from 'typebox'
import { nullable } from '../../../infrastructure/http/shapes.js'

export const destinationKinds = [
  'agent',
  'team',
  'extension',
  'sip_account',
  'contact',
  'phone_number',
  'outside_number',
] as const

export const destinationStates = ['available', 'ringing', 'incall', 'busy', 'offline'] as const

export const DestinationShape = Type.Object(
  {
    kind: Type.Enum([...destinationKinds], {
      description:
        '`phone_number`: a number of the workspace that a call flow answers; `outside_number`: the number that was typed',
    }),
    id: nullable(Type.String({ description: 'Null for a number that was typed' })),
    name: Type.String({ description: 'Empty for a number that was typed and that no contact has' }),
    target: Type.String({
      description: 'To be sent as `to` of `POST /call-center/calls/make`, or as `target` of a transfer',
    }),
    username: nullable(Type.String({ description: 'Of an agent or a SIP account' })),
    extension: nullable(Type.String({ description: 'The extension that leads there' })),
    number: nullable(Type.String({ description: 'E.164, of a contact or a number' })),
    state: Type.Union([Type.Enum([...destinationStates]), Type.Null()], { description: 'Of an agent' }),
    is_registered: nullable(
      Type.Boolean({ description: 'Whether a phone is registered with the SIP account' }),
    ),
    free_agents: nullable(Type.Integer({ description: 'Available members of the team' })),
    waiting_callers: nullable(Type.Integer({ description: 'Callers in the team’s queue' })),
    refusal: Type.Union([Type.Enum(['no_caller_id', 'not_allowed']), Type.Null()], {
      description:
        'Why the agent cannot call the number: none of the workspace’s numbers may be shown, or the workspace may not call it',
    }),
  },
  { title: 'Destination' },
)
export type Destination = Static<typeof DestinationShape>

export const destinationQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'A part of a name, username, extension or number; without it agents and teams are listed',
    }),
  ),
})
