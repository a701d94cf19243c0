/** All types of nodes, in the order in which editors offer them. */
import { connectAgent } from '../../calls/script/actions/connect-agent.js'
import { connectClient } from '../../calls/script/actions/connect-client.js'
import { connectTeam } from '../../calls/script/actions/connect-team.js'
import { connectVoiceAgent } from '../../calls/script/actions/connect-voice-agent.js'
import { play } from '../../calls/script/actions/play.js'
import { recording } from '../../calls/script/actions/recording.js'
import { stream } from '../../calls/script/actions/stream.js'
import { tts } from '../../calls/script/actions/tts.js'
import { voicemail } from '../../calls/script/actions/voicemail.js'
import { businessHours } from './business-hours.js'
import { condition } from './condition.js'
import { contactLookup } from './contact-lookup.js'
import { reached } from './dialling.js'
import { type NodeType, actionNode } from './flow-node.js'
import { goToExtension } from './go-to-extension.js'
import { disconnectNode, hangupNode } from './hang-up.js'
import { ivrNode } from './ivr.js'
import { jsonCallAction } from './json-call-action.js'
import { machineDetectionNode } from './machine-detection.js'
import { menu } from './menu.js'
import { sendMessage } from './send-message.js'
import { setVariable } from './set-variable.js'
import { split } from './split.js'
import { start } from './start.js'
import { toOperatorNode } from './to-operator.js'

const all: readonly NodeType[] = [
  start,
  actionNode(play, { group: 'say', caller: 'hears' }),
  actionNode(tts, { group: 'say', caller: 'hears' }),
  menu,
  ivrNode,
  machineDetectionNode,
  actionNode(connectAgent, { group: 'connect', outcomes: [...reached, 'offline'], caller: 'connected' }),
  actionNode(connectClient, {
    group: 'connect',
    outcomes: [...reached, 'offline'],
    fields: { sub: { kind: 'client' }, client: { kind: 'none' } },
    caller: 'connected',
  }),
  actionNode(connectTeam, {
    group: 'connect',
    outcomes: ['completed', 'no_answer', 'offline', 'queue_full', 'queue_timeout', 'failed'],
    caller: 'connected',
  }),
  actionNode(connectVoiceAgent, {
    group: 'connect',
    outcomes: ['completed', 'no_answer', 'failed'],
    // Where the voice agent does not answer, the caller hears an apology.
    caller: 'hears',
  }),
  toOperatorNode,
  goToExtension,
  actionNode(voicemail, { group: 'connect', caller: 'hears' }),
  businessHours,
  condition,
  split,
  setVariable,
  contactLookup,
  jsonCallAction,
  sendMessage,
  actionNode(recording, { group: 'services', caller: 'hears' }),
  actionNode(stream, { group: 'services', outcomes: ['completed', 'failed'], caller: 'hears' }),
  hangupNode,
  disconnectNode,
]

/** Every type of node there is, by its name. */
export const nodeTypes: ReadonlyMap<string, NodeType> = new Map(all.map((one) => [one.type, one]))
