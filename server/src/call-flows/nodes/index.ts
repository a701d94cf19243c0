/** All types of nodes. */
import { disconnect, hangup } from '../../calls/actions/hangup.js'
import { businessHoursNode } from './business-hours.js'
import { contactLookupNode, jsonCallActionNode, sendMessageNode } from './callbacks.js'
import {
  connectAgentNode,
  connectClientNode,
  connectTeamNode,
  connectVoiceAgentNode,
  goToExtensionNode,
  streamNode,
  toOperatorNode,
} from './connections.js'
import { conditionNode, setVariableNode, splitNode } from './decisions.js'
import { ivrNode, machineDetectionNode, menuNode } from './inputs.js'
import { type NodeType, noParams, node } from './node-type.js'
import { playNode, recordingNode, ttsNode, voicemailNode } from './sounds.js'

/** The type of each flow's first node. */
export const startType = 'start'

const ends = (action: typeof hangup): NodeType => ({
  type: action.name,
  summary: action.summary,
  params: action.params,
  outcomes: () => [],
})

/** Every type of node there is, by its name. */
export const nodeTypes: ReadonlyMap<string, NodeType> = new Map(
  [
    node({ type: startType, summary: 'Where every call begins', params: noParams }),
    playNode,
    ttsNode,
    ivrNode,
    menuNode,
    machineDetectionNode,
    toOperatorNode,
    connectAgentNode,
    connectClientNode,
    connectTeamNode,
    connectVoiceAgentNode,
    goToExtensionNode,
    voicemailNode,
    recordingNode,
    streamNode,
    contactLookupNode,
    jsonCallActionNode,
    sendMessageNode,
    businessHoursNode,
    conditionNode,
    setVariableNode,
    splitNode,
    ends(disconnect),
    ends(hangup),
  ].map((one) => [one.type, one]),
)
