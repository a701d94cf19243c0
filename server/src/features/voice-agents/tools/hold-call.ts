/** The tool `hold_call`: the caller hears music, until the model takes the call up again or it has lasted too long. */
import type { Side } from '../../calls/bridge/side.js'
import type { Bridge } from '../../calls/bridge/bridge.js'
import { untilHeard } from './said.js'
import { sideOf } from './sides.js'
import type { ToolArguments } from './tool-arguments.js'
import { type ToolResult, failed } from './tool-result.js'
import type { ToolContext } from './tool-runner.js'

/** Ends a hold that the model has forgotten. */
const longestMs = 120_000

export class Holds {
  /** Functions that cancel the limits of holds. */
  private readonly limits = new WeakMap<Bridge, () => void>()

  constructor(private readonly limitMs = longestMs) {}

  async run(context: ToolContext, { action }: ToolArguments): Promise<ToolResult> {
    const { bridge } = context.live
    const side = bridge && !bridge.isOver ? sideOf(bridge, context.voiceAgentId) : null
    if (!bridge || !side) return failed('failed', 'there is no one to put on hold')
    if (action === 'resume') {
      this.limits.get(bridge)?.()
      await bridge.unhold(side)
      return { outcome: 'completed', output: { status: 'resumed' } }
    }
    await untilHeard(context)
    await bridge.hold(side)
    this.limit(context, bridge, side)
    return {
      outcome: 'completed',
      output: {
        status: 'on_hold',
        note: `The caller hears music, and not you. Call hold_call with resume to speak with them again, within ${this.limitMs / 1_000} seconds.`,
      },
    }
  }

  private limit(context: ToolContext, bridge: Bridge, side: Side): void {
    this.limits.get(bridge)?.()
    const forget = () => {
      clearTimeout(timer)
      bridge.off('over', forget)
      context.signal.removeEventListener('abort', forget)
    }
    const timer = setTimeout(() => {
      forget()
      if (!bridge.isHeldBy(side)) return
      bridge
        .unhold(side)
        .then(() => context.instruct('The hold has lasted too long: the caller is with you again.'))
        .catch(() => undefined)
    }, this.limitMs)
    this.limits.set(bridge, forget)
    bridge.once('over', forget)
    context.signal.addEventListener('abort', forget)
    if (bridge.isOver || context.signal.aborted) forget()
  }
}
