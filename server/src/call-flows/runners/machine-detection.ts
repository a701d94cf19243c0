import { detectAnswerer } from '../../calls/actions/machine-detection.js'
import type { NodeRunner } from './node-runner.js'

/** Branches by what has answered; takes no branch if the call has ended meanwhile. */
export const runMachineDetection: NodeRunner = async ({ node, context }) => {
  const answered = await detectAnswerer(context, node.params)
  if (!answered) return { outcome: 'unknown' }
  return { outcome: answered.answered_by, details: { message_end: answered.message_end } }
}
