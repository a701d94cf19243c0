import { DetectionParams, detectAnswerer } from '../../calls/script/actions/machine-detection.js'
import { flowNode } from './flow-node.js'

/** Branches by what has answered; takes no branch if the call has ended meanwhile. */
export const machineDetectionNode = flowNode({
  type: 'machine_detection',
  group: 'ask',
  summary: 'Branches by whether a person or a machine answered',
  params: DetectionParams,
  outcomes: ['human', 'machine', 'fax', 'unknown'],
  caller: 'hears',
  async run({ params, context }) {
    const answered = await detectAnswerer(context, params)
    if (!answered) return { outcome: 'unknown' }
    return { outcome: answered.answered_by, details: { message_end: answered.message_end } }
  },
})
