/** Runs what a call's row says: its flow, its actions, and those that replace or follow them. */
import { type Outcome, completed } from '../model/outcomes.js'
import { RecordingProblem } from '../../recordings/recording-problem.js'
import type { Logger } from 'pino'
import { ChannelEndedError } from '../../../adapters/freeswitch/channel-end.js'
import { SwitchDownError } from '../../../adapters/freeswitch/errors.js'
import { secondsSince, topics } from '../../../infrastructure/observability/telemetry.js'
import type { ActionContext } from './actions/action.js'
import { findAction } from './actions/index.js'
import { perform } from './actions/perform.js'
import type { CallEventName } from '../model/call-event.entity.js'
import type { ScriptStep } from '../model/call.schema.js'
import type { Call } from '../model/call.entity.js'
import type { Explanation } from '../model/no-route.js'
import type { Flows, FinalEvent, ScriptHost, StepOptions } from './script.js'
import { ScriptEnded } from './script.js'

/** Position in a script: its revision, and the index of the running action. */
export interface ScriptPosition {
  revision: number
  index: number
}

/** Where the previous process stopped in a script. */
export interface ScriptState {
  /** Null before the first action. */
  script: ScriptPosition | null
  /** The flow's last mark. */
  flow: string | undefined
  /** The script had finished, and only waited for its streams. */
  hasRunOut: boolean
}

/** The script's part of the call's row, changed together with the table. */
export interface ScriptStore {
  /**
   * Stores actions that run in place of a node, with a new revision.
   * @returns false if the script was replaced meanwhile
   */
  beginSubscript(call: Call, node: string, actions: ScriptStep[]): Promise<boolean>
  /** These actions have finished, and the flow continues. */
  endSubscript(call: Call): Promise<void>
  /**
   * Continues with what the row says when a script has finished: actions that were queued behind it, or a replacement
   * that we have not seen.
   * @returns false if nothing is left: from now on nothing can be added
   */
  nextScript(call: Call): Promise<boolean>
  /**
   * Ends the script before the call is hung up, and writes its last event with that.
   * @param event null for none
   * @returns false if the script was replaced meanwhile
   */
  endScript(call: Call, cause: string, event: (FinalEvent & { at: Date }) | null): Promise<boolean>
}

/** Channel variables with the script's position. */
export type ScriptPlace = { jackfield_step: string; jackfield_flow?: string } | { jackfield_ran_out: 'true' }

/** Background work of a call. */
interface Background {
  /** True if the finished script must keep the leg up for it. */
  isAwaited(): boolean
  /** From now on the script does not wait for the current background work. */
  release(): void
  /**
   * Resolves when that work is over, or at the signal.
   * @throws {ChannelEndedError | SwitchDownError}
   */
  untilOver(signal: AbortSignal): Promise<void>
}

interface RunnerOptions {
  store: ScriptStore
  flows: Flows
  background: Background
  /** Stores the script's position on the channel. */
  mark(variables: ScriptPlace): Promise<void>
  readonly context: (signal: AbortSignal, options?: StepOptions) => ActionContext
  readonly note: (event: CallEventName, details: object) => void
  readonly nameCaller: (name: string) => Promise<void>
  log: Logger
}

/** Prompts: a key for the next action interrupts them. */
const prompts = new Set(['play', 'tts'])

/** Steps that may follow a stream without ending the wait for it. */
const besideStreams = new Set(['stream', 'json_call_action', 'contact_lookup', 'send_message'])

/** Successful outcomes of an action; after any other the script continues even if the action was the last one. */
const doneWork: ReadonlySet<Outcome> = new Set(['completed', 'timeout'])

export class ScriptRunner {
  private replaced = new AbortController()
  /** Aborted when actions were queued behind the running ones. */
  private pushed = new AbortController()
  /** True if this process has started an action, or the previous one may have. */
  private hasActed: boolean

  constructor(
    private readonly call: Call,
    private readonly options: RunnerOptions,
    private left: ScriptState | null,
  ) {
    this.hasActed = left !== null || call.line === 'caller'
    if (call.pending_script) this.push()
  }

  /** Actions were queued: background work is not waited for before they have run. */
  push(): void {
    this.pushed.abort()
  }

  /** The row has another script now: stops the running one and starts it. */
  replace(script: ScriptStep[], revision: number): void {
    Object.assign(this.call, {
      ...{ script, script_revision: revision, script_node: null },
      ...{ program: 'script', pending_script: null },
    })
    this.left = null
    this.replaced.abort()
  }

  /**
   * Runs until nothing is left.
   * @throws {ChannelEndedError | SwitchDownError} when the call cannot continue
   */
  async run(): Promise<void> {
    do {
      this.replaced = new AbortController()
      const { signal } = this.replaced
      try {
        const hadRunOut = this.left?.hasRunOut ?? false
        if (hadRunOut) this.left = null
        else if (this.call.program === 'flow') await this.runFlow(signal)
        else if (this.call.program === 'script') await this.runScript(signal, true)
        await this.stay(signal, hadRunOut)
      } catch (error) {
        if (!(error instanceof ScriptEnded)) throw error
      }
    } while (this.replaced.signal.aborted || (await this.options.store.nextScript(this.call)))
  }

  /** Keeps the leg up while background work needs it. */
  private async stay(replaced: AbortSignal, isMarked: boolean): Promise<void> {
    const { options } = this
    const { background } = options
    const signal = AbortSignal.any([replaced, this.pushed.signal])
    if (!signal.aborted && background.isAwaited()) {
      if (!isMarked) await options.mark({ jackfield_ran_out: 'true' })
      await background.untilOver(signal)
    }
    if (this.pushed.signal.aborted) this.pushed = new AbortController()
  }

  private publishFirst(): void {
    const { answered_at } = this.call
    if (this.hasActed || !answered_at) return
    this.hasActed = true
    topics.callAction.publish({ seconds: Math.max(0, Date.now() - answered_at.getTime()) / 1000 })
  }

  private async runFlow(signal: AbortSignal): Promise<void> {
    const script = await this.options.flows.scriptOf(this.call)
    if (!script) throw new Error(`version ${this.call.call_flow_version_id} of the flow is gone`)
    const { note, nameCaller, context, log } = this.options
    const marked = this.left?.flow
    const host: ScriptHost = {
      call: this.call,
      ...{ note, nameCaller, context, log, marked },
      mark: async (position) => this.options.mark({ jackfield_step: '', jackfield_flow: position }),
      beginStep: (type) => this.beginStep(type),
      runSubscript: async (node, actions, ofRun, isLast) => {
        const { store } = this.options
        if (actions && !(await store.beginSubscript(this.call, node, actions))) throw new ScriptEnded()
        await this.runScript(ofRun, isLast)
        if (!ofRun.aborted) await store.endSubscript(this.call)
      },
    }
    await script.run(host, signal)
  }

  private beginStep(type: string): void {
    if (!besideStreams.has(type)) this.options.background.release()
  }

  /** @param isLast nothing follows the script */
  private async runScript(signal: AbortSignal, isLast: boolean): Promise<void> {
    const { script, script_revision: revision } = this.call
    const left = this.left?.script
    this.left = null
    let announced = left?.revision === revision
    for (let index = announced ? (left?.index ?? 0) : 0; index < script.length; index++) {
      if (signal.aborted) return
      if (!announced) await this.options.mark({ jackfield_step: `${revision}.${index}` })
      announced = false
      if (signal.aborted) return
      await this.runAction(script[index], script[index + 1], signal, isLast && index === script.length - 1)
    }
  }

  /** A failed action is skipped: the script continues with the next one. */
  private async runAction(
    step: ScriptStep | undefined,
    next: ScriptStep | undefined,
    signal: AbortSignal,
    isLast: boolean,
  ): Promise<void> {
    if (!step) return
    this.publishFirst()
    this.beginStep(step.action)
    const { auto_answer: autoAnswer, continue: goesOn } = step
    const untilKey = prompts.has(step.action) && next?.action === 'ivr' && goesOn !== false
    let why: Explanation | undefined
    const context = this.options.context(signal, {
      ...(autoAnswer !== undefined && { autoAnswer }),
      untilKey,
      isLast: goesOn === false || (isLast && !this.pushed.signal.aborted),
      finalEvent: { event: 'call.action', details: detailsOfStep(step, { outcome: completed }) },
      explain: (explanation) => {
        why = explanation
      },
    })
    let outcome: Outcome = 'failed'
    let problem: string | undefined
    const begun = performance.now()
    const publishEnded = () => {
      const payload = { callId: this.call.id, action: step.action, outcome }
      topics.callActionEnded.publish({ ...payload, seconds: secondsSince(begun) })
    }
    try {
      ;({ outcome, problem } = await perform(context, step))
    } catch (error) {
      if (endsScript(error)) {
        outcome = 'ended'
        publishEnded()
        throw error
      }
      if (error instanceof RecordingProblem) problem = error.message
      this.options.log.warn(
        { event: 'script.action_failed', err: error, action: step.action },
        'action failed',
      )
    }
    if (signal.aborted) outcome = 'replaced'
    publishEnded()
    this.options.note(
      'call.action',
      detailsOfStep(step, { outcome, problem, ...(outcome === 'failed' && why) }),
    )
    if (goesOn === false && doneWork.has(outcome)) throw new ScriptEnded()
  }
}

/** Details of an action for the timeline. */
function detailsOfStep(
  { action, params = {}, problem: known }: ScriptStep,
  { outcome, reason, problem }: { outcome: Outcome } & Partial<Explanation>,
): object {
  const described = known === undefined && findAction(action)?.describe?.(params)
  return {
    ...{ action, ...described, outcome },
    ...(reason !== undefined && { reason }),
    ...(problem !== undefined && { problem }),
  }
}

/** True if nothing can run after this error. */
export function endsScript(error: unknown): boolean {
  return (
    error instanceof ChannelEndedError || error instanceof SwitchDownError || error instanceof ScriptEnded
  )
}
