/** Nodes that connect the caller with somebody, or with something that talks. */
import Type from 'typebox'
import { connectAgent } from '../../calls/actions/connect-agent.js'
import { connectTeam } from '../../calls/actions/connect-team.js'
import { connectVoiceAgent } from '../../calls/actions/connect-voice-agent.js'
import { RingTimeout } from '../../calls/actions/shared-params.js'
import { toOperator } from '../../calls/actions/to-operator.js'
import { Id, printable, reference } from '../../http/shapes.js'
import { actionNode, node } from './node-type.js'

/** How calling one party can end. */
const reached = ['completed', 'busy', 'no_answer', 'failed']

export const toOperatorNode = actionNode(toOperator, reached)

export const connectAgentNode = actionNode(connectAgent, [...reached, 'offline'])

export const connectTeamNode = actionNode(connectTeam, [
  ...['completed', 'no_answer', 'offline', 'queue_full', 'queue_timeout', 'failed'],
])

export const connectVoiceAgentNode = actionNode(connectVoiceAgent, ['completed', 'no_answer', 'failed'])

/** To an extension, or without one to the extension whose number the caller dialled. */
export const goToExtensionNode = node({
  type: 'go_to_extension',
  params: Type.Object({
    extension_id: Type.Optional(
      reference('extension', Id({ description: 'By default the one of the digits dialled last' })),
    ),
    timeout: Type.Optional(RingTimeout),
  }),
  outcomes: [...reached, 'offline', 'unknown'],
})

/** Passes the sound to the customer's WebSocket. */
export const streamNode = node({
  type: 'stream',
  params: Type.Object({
    ws_url: Type.String({
      maxLength: 2048,
      pattern: '^[Ww][Ss][Ss]?://[!-~]+$',
      'x-rule': 'a ws or wss URL',
    }),
    track: Type.Optional(Type.Enum(['both', 'inbound', 'outbound'], { description: 'both by default' })),
    sample_rate: Type.Optional(Type.Enum([8000, 16000], { description: '8000 by default' })),
    bidirectional: Type.Optional(Type.Boolean()),
    answer_call: Type.Optional(Type.Boolean({ description: 'true by default' })),
    headers: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        maxProperties: 10,
        propertyNames: {
          pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$",
          'x-rule': 'named as an HTTP header is',
        },
        additionalProperties: {
          type: 'string',
          maxLength: 1024,
          pattern: printable,
          'x-rule': 'free of control characters',
        },
      }),
    ),
  }),
  outcomes: ['completed', 'failed'],
})
