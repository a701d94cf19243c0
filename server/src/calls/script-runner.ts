/** Runs a call's actions one after another, and gives way when they are replaced. */
import type { Logger } from 'pino'
import { ChannelEndedError } from '../switch/channel.js'
import { SwitchDownError } from '../switch/errors.js'
import type { ActionContext } from './actions/action.js'
import { findAction } from './actions/index.js'
import type { CallAction } from './call.schema.js'

/** Where a script stands: its revision, and the index of the action that runs. */
export interface ScriptPosition {
  revision: number
  index: number
}

interface RunnerOptions {
  /** Called before each action; tells the switch where the script stands. */
  onStep(position: ScriptPosition): Promise<void>
  context(signal: AbortSignal): ActionContext
  log: Logger
}

export class ScriptRunner {
  private replaced = new AbortController()

  constructor(
    private script: readonly CallAction[],
    private position: ScriptPosition,
    private readonly options: RunnerOptions,
  ) {}

  /** Puts another script in the place of what is left, and ends the action that runs. */
  replace(script: readonly CallAction[], revision: number): void {
    this.script = script
    this.position = { revision, index: 0 }
    this.replaced.abort()
  }

  /**
   * Runs to the end of the script, whichever it is by then.
   * @throws {ChannelEndedError | SwitchDownError} when the call cannot go on
   */
  async run(resumed: boolean): Promise<void> {
    let announced = resumed
    for (;;) {
      this.replaced = new AbortController()
      const { signal } = this.replaced
      while (!signal.aborted && this.position.index < this.script.length) {
        if (!announced) await this.options.onStep(this.position)
        announced = false
        if (signal.aborted) break
        await this.runAction(this.script[this.position.index], signal)
        if (!signal.aborted) this.position = { ...this.position, index: this.position.index + 1 }
      }
      if (!signal.aborted) return
    }
  }

  /** An action that fails is passed over: the script goes on with the next one. */
  private async runAction(step: CallAction | undefined, signal: AbortSignal): Promise<void> {
    const action = step && findAction(step.action)
    if (!action) return
    try {
      await action.run(this.options.context(signal), step.params ?? {})
    } catch (error) {
      if (error instanceof ChannelEndedError || error instanceof SwitchDownError) throw error
      this.options.log.warn({ err: error, action: step.action }, 'action failed')
    }
  }
}
