/** The tool `hold_call`: the caller hears music, until the model takes the call up again or it has lasted too long. */
import type { Talk } from '../../calls/talk.js'
import type { Side } from '../../calls/talk-mark.js'
import { untilHeard } from './said.js'
import { sideOf } from './sides.js'
import type { ToolArguments } from './tool-arguments.js'
import { type ToolResult, failed } from './tool-result.js'
import type { ToolContext } from './tool-runner.js'

/** Ends a hold that the model has forgotten. */
const longestMs = 120_000

export class Holds {
  /** Functions that cancel the limits of holds. */
  private readonly limits = new WeakMap<Talk, () => void>()

  constructor(private readonly limitMs = longestMs) {}

  async run(context: ToolContext, { action }: ToolArguments): Promise<ToolResult> {
    const { talk } = context.live
    const side = talk && !talk.isOver ? sideOf(talk, context.voiceAgentId) : null
    if (!talk || !side) return failed('failed', 'there is no one to put on hold')
    if (action === 'resume') {
      this.limits.get(talk)?.()
      await talk.unhold(side)
      return { outcome: 'completed', output: { status: 'resumed' } }
    }
    await untilHeard(context)
    await talk.hold(side)
    this.limit(context, talk, side)
    return {
      outcome: 'completed',
      output: {
        status: 'on_hold',
        note: `The caller hears music, and not you. Call hold_call with resume to speak with them again, within ${this.limitMs / 1_000} seconds.`,
      },
    }
  }

  private limit(context: ToolContext, talk: Talk, side: Side): void {
    this.limits.get(talk)?.()
    const forget = () => {
      clearTimeout(timer)
      talk.off('over', forget)
      context.signal.removeEventListener('abort', forget)
    }
    const timer = setTimeout(() => {
      forget()
      if (!talk.isHeldBy(side)) return
      talk
        .unhold(side)
        .then(() => context.tell('The hold has lasted too long: the caller is with you again.'))
        .catch(() => undefined)
    }, this.limitMs)
    this.limits.set(talk, forget)
    talk.once('over', forget)
    context.signal.addEventListener('abort', forget)
    if (talk.isOver || context.signal.aborted) forget()
  }
}
