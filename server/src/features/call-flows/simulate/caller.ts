/**
 * The caller of a trial: whether somebody has answered them, and how it last failed to reach somebody. With that a call
 * ends for which nothing is left to do.
 */
import { completed } from '../../calls/model/outcomes.js'
import { causeOfOutcome } from '../../calls/model/termination.js'
import { nodeTypes } from '../nodes/index.js'
import type { SimulatedStep } from '../nodes/node-trial.js'

/** Outcomes of connections before which the caller was answered: to talk, or to wait. */
const answering = new Set([completed, 'queue_timeout'])

export class TrialCaller {
  private lastFailure: string | null = null

  constructor(private isAnswered: boolean) {}

  /** Something was done for them, and ended so. */
  pass({ type, params, autoAnswer = true }: SimulatedStep, outcome: string): void {
    const caller = nodeTypes.get(type)?.caller
    if (caller === 'hears')
      this.isAnswered ||= outcome !== 'failed' && Boolean(params['answer_call'] ?? autoAnswer)
    if (caller !== 'connected') return
    if (answering.has(outcome)) this.isAnswered = true
    // `unknown` means that nothing was dialled.
    else if (outcome !== 'unknown') this.lastFailure = outcome
  }

  /** The hangup cause when the flow ends. */
  get causeAtEnd(): string {
    const cause = this.isAnswered || this.lastFailure === null ? null : causeOfOutcome(this.lastFailure)
    return cause ?? 'NORMAL_CLEARING'
  }
}
