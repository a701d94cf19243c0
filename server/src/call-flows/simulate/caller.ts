/**
 * The caller of a trial: whether somebody has answered them, and how it last failed to reach somebody. With that a call
 * ends for which nothing is left to do.
 */
import { causeOfOutcome } from '../../calls/model/call-outcome.js'
import { completed } from '../../calls/script/script.js'
import { nodeTypes } from '../nodes/index.js'

/** Outcomes of connections before which the caller was answered: to talk, or to wait. */
const answering = new Set([completed, 'queue_timeout'])

/** A step for a caller: a node, or an action of a script, which has the name of its node. */
interface Done {
  type: string
  params: Readonly<Record<string, unknown>>
  autoAnswer?: boolean | undefined
}

export class TrialCaller {
  private lastFailure: string | null = null

  constructor(private isAnswered: boolean) {}

  /** Something was done for them, and ended so. */
  pass({ type, params, autoAnswer = true }: Done, outcome: string): void {
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
