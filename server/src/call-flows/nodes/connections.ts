/** Nodes that connect the caller with somebody, or with something that talks. */
import Type from 'typebox'
import { connectAgent } from '../../calls/actions/connect-agent.js'
import { connectClient } from '../../calls/actions/connect-client.js'
import { connectTeam } from '../../calls/actions/connect-team.js'
import { connectVoiceAgent } from '../../calls/actions/connect-voice-agent.js'
import { RingTimeout } from '../../calls/actions/shared-params.js'
import { stream } from '../../calls/actions/stream.js'
import { toOperator } from '../../calls/actions/to-operator.js'
import { Id, reference } from '../../http/shapes.js'
import { actionNode, node } from './node-type.js'

/** The outcomes of dialling one party. */
const reached = ['completed', 'busy', 'no_answer', 'failed']

export const toOperatorNode = actionNode(toOperator, reached)

export const connectAgentNode = actionNode(connectAgent, [...reached, 'offline'])

/** A user of a customer's app. */
export const connectClientNode = actionNode(connectClient, [...reached, 'offline'])

export const connectTeamNode = actionNode(connectTeam, [
  ...['completed', 'no_answer', 'offline', 'queue_full', 'queue_timeout', 'failed'],
])

export const connectVoiceAgentNode = actionNode(connectVoiceAgent, ['completed', 'no_answer', 'failed'])

/** To an extension; by default to the one that the caller dialled. */
export const goToExtensionNode = node({
  type: 'go_to_extension',
  summary: 'Connects the call with an extension',
  params: Type.Object({
    extension_id: Type.Optional(
      reference(
        'extension',
        Id({ description: 'Extension to ring; by default the one that was dialled last' }),
      ),
    ),
    timeout: Type.Optional(RingTimeout),
  }),
  outcomes: [...reached, 'offline', 'unknown'],
})

/** Passes the sound to the customer's WebSocket. */
export const streamNode = actionNode(stream, ['completed', 'failed'])
