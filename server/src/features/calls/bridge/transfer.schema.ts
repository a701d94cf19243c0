/** Transfers in the API (contract, Supervision and transfer). */
import Type, { type Static } from 'typebox'
import { Id, nullable, printable } from '../../../infrastructure/http/shapes.js'
import { maxClientAddress } from '../model/client-address.js'

const maxReason = 255

export const TransferCall = Type.Object({
  target_username: Type.Optional(Id({ description: 'Username of an agent' })),
  team_id: Type.Optional(Id({ description: 'A team that the agent of target_username must be in' })),
  target: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: maxClientAddress },
      ...{ pattern: '^ *[!-~][ -~]*$', 'x-rule': 'an id, a number or client:<sub>' },
      description:
        'In place of target_username: the username of an agent or a SIP account, the number of an extension, the id of a team or that of a SIP account, client:<sub>, or a telephone number, in E.164 or as people of the workspace’s country write it. A team means its queue: without consult the caller waits until a member is free, 5 minutes at most',
    }),
  ),
  reason: Type.Optional(
    Type.String({
      maxLength: maxReason,
      pattern: printable,
      'x-rule': 'free of control characters',
      description: 'Shown to the target',
    }),
  ),
  consult: Type.Optional(
    Type.Boolean({ description: 'The agent speaks with the target first; false by default' }),
  ),
})
export type TransferCall = Static<typeof TransferCall>

const named = Type.Object({ id: Type.String(), username: Type.String() })

export const TransferStartedShape = Type.Object(
  {
    call_id: Type.String(),
    status: Type.Literal('transfer_initiated'),
    from_agent_id: nullable(Type.String({ description: 'The agent whose leg the target replaces' })),
    to_agent: nullable(named),
    to: Type.Object({
      kind: Type.Enum(['agent', 'team', 'sip_account', 'voice_agent', 'client', 'number']),
      id: Type.String(),
      name: Type.String(),
    }),
    transferred_by: Type.String({ description: 'Username' }),
  },
  { title: 'TransferStarted' },
)

export const TransferStateShape = Type.Object(
  {
    call_id: Type.String(),
    status: Type.Enum(['transfer_completing', 'transfer_canceled', 'transfer_three_way']),
  },
  { title: 'TransferState' },
)
