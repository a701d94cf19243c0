import { detectAnswerer } from '../../calls/actions/machine-detection.js'
import type { NodeRunner } from './node-runner.js'

/** Branches by who has answered; a call that ended meanwhile goes nowhere. */
export const runMachineDetection: NodeRunner = async ({ node, context }) => {
  const answered = await detectAnswerer(context, node.params)
  if (!answered) return { outcome: 'unknown' }
  return { outcome: answered.answered_by, details: { message_end: answered.message_end } }
}
