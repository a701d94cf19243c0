/** Runs what a call's row says: its flow, its actions, and those that are put in their place or behind them. */
import { ActionProblem } from './actions/action-problem.js'
import type { Logger } from 'pino'
import { ChannelEndedError } from '../switch/channel-end.js'
import { SwitchDownError } from '../switch/errors.js'
import { secondsSince, topics } from '../telemetry.js'
import type { ActionContext } from './actions/action.js'
import { findAction } from './actions/index.js'
import { perform } from './actions/perform.js'
import type { CallEventName } from './call-event.entity.js'
import type { ScriptStep } from './call.schema.js'
import type { Call } from './call.entity.js'
import type { Explanation } from './no-way.js'
import type { Flows, LastWord, Outcome, ProgramHost, StepOptions } from './program.js'
import { ProgramEnded, completed } from './program.js'

/** Where a script stands: its revision, and the index of the action that runs. */
export interface ScriptPosition {
  revision: number
  index: number
}

/** What an earlier process left of a program. */
export interface ProgramMark {
  /** Null before the first action. */
  script: ScriptPosition | null
  /** What the flow marked last. */
  flow: string | undefined
  /** Nothing was left of it but streams that it stayed for. */
  hasRunOut: boolean
}

/** The program's part of the row, changed as the table is. */
export interface ProgramStore {
  /** Keeps the actions that run in the stead of a node, with a new revision. @returns false when it was replaced */
  beginInStead(call: Call, node: string, actions: ScriptStep[]): Promise<boolean>
  /** They are through, and the flow goes on. */
  endInStead(call: Call): Promise<void>
  /**
   * Goes on to what the row says when a program is through: what was put behind it, or in its place without our knowing.
   * @returns false when nothing is left: from now on nothing can be added
   */
  nextProgram(call: Call): Promise<boolean>
  /**
   * Gives up all that is left, before the call is hung up; what the timeline has of that is written with it.
   * @param told null for nothing
   * @returns false when it was replaced
   */
  endProgram(call: Call, cause: string, told: (LastWord & { at: Date }) | null): Promise<boolean>
}

/** Variables of the channel that tell where a program stands. */
export type ProgramPlace = { jackfield_step: string; jackfield_flow?: string } | { jackfield_ran_out: 'true' }

/** What goes on in the background of a call. */
interface Background {
  /** Whether the program stays on the line for it when nothing else is left. */
  isAwaited(): boolean
  /** The program does not stay for what goes on now. */
  release(): void
  /** Resolves when that is over, or at the signal. @throws {ChannelEndedError | SwitchDownError} */
  untilOver(signal: AbortSignal): Promise<void>
}

interface RunnerOptions {
  store: ProgramStore
  flows: Flows
  background: Background
  /** Tells the switch where the program stands. */
  mark(variables: ProgramPlace): Promise<void>
  readonly context: (signal: AbortSignal, options?: StepOptions) => ActionContext
  readonly note: (event: CallEventName, details: object) => void
  readonly nameCaller: (name: string) => Promise<void>
  log: Logger
}

/** Actions that are only heard: a key that the next one asks for cuts them short. */
const prompts = new Set(['play', 'tts'])

/** Steps behind which a stream is still the last thing that the call does. */
const besideStreams = new Set(['stream', 'json_call_action', 'contact_lookup', 'send_message'])

/** Outcomes of an action that has done its work; after others the script goes on even when it was the last one. */
const doneWork: ReadonlySet<Outcome> = new Set(['completed', 'timeout'])

export class ProgramRunner {
  private replaced = new AbortController()
  /** Aborted when something was put behind what runs. */
  private pushed = new AbortController()
  /** Whether this process has begun an action of it, or an earlier one may have. */
  private hasActed: boolean

  constructor(
    private readonly call: Call,
    private readonly options: RunnerOptions,
    private left: ProgramMark | null,
  ) {
    this.hasActed = left !== null || call.line === 'caller'
    if (call.pending_script) this.push()
  }

  /** Something was put behind what runs: nothing that goes on in the background is waited for before that. */
  push(): void {
    this.pushed.abort()
  }

  /** The row has another script now: ends what runs, and begins that. */
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
   * @throws {ChannelEndedError | SwitchDownError} when the call cannot go on
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
        if (!(error instanceof ProgramEnded)) throw error
      }
    } while (this.replaced.signal.aborted || (await this.options.store.nextProgram(this.call)))
  }

  /** Stays on the line while something goes on in the background that is worth it. */
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

  private tellFirst(): void {
    const { answered_at } = this.call
    if (this.hasActed || !answered_at) return
    this.hasActed = true
    topics.callAction.tell({ seconds: Math.max(0, Date.now() - answered_at.getTime()) / 1000 })
  }

  private async runFlow(signal: AbortSignal): Promise<void> {
    const program = await this.options.flows.programOf(this.call)
    if (!program) throw new Error(`version ${this.call.call_flow_version_id} of the flow is gone`)
    const { note, nameCaller, context, log } = this.options
    const marked = this.left?.flow
    const host: ProgramHost = {
      call: this.call,
      ...{ note, nameCaller, context, log, marked },
      mark: async (position) => this.options.mark({ jackfield_step: '', jackfield_flow: position }),
      beginStep: (type) => this.beginStep(type),
      runInStead: async (node, actions, ofRun, isLast) => {
        const { store } = this.options
        if (actions && !(await store.beginInStead(this.call, node, actions))) throw new ProgramEnded()
        await this.runScript(ofRun, isLast)
        if (!ofRun.aborted) await store.endInStead(this.call)
      },
    }
    await program.run(host, signal)
  }

  private beginStep(type: string): void {
    if (!besideStreams.has(type)) this.options.background.release()
  }

  /** @param isLast nothing of the program comes behind the script */
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

  /** An action that fails is passed over: the script goes on with the next one. */
  private async runAction(
    step: ScriptStep | undefined,
    next: ScriptStep | undefined,
    signal: AbortSignal,
    isLast: boolean,
  ): Promise<void> {
    if (!step) return
    this.tellFirst()
    this.beginStep(step.action)
    const { auto_answer: autoAnswer, continue: goesOn } = step
    const untilKey = prompts.has(step.action) && next?.action === 'ivr' && goesOn !== false
    let why: Explanation | undefined
    const context = this.options.context(signal, {
      ...(autoAnswer !== undefined && { autoAnswer }),
      untilKey,
      isLast: goesOn === false || (isLast && !this.pushed.signal.aborted),
      lastWord: { event: 'call.action', details: toldOf(step, { outcome: completed }) },
      explain: (explanation) => {
        why = explanation
      },
    })
    let outcome: Outcome = 'failed'
    let problem: string | undefined
    const begun = performance.now()
    const tellOver = () => {
      const news = { callId: this.call.id, action: step.action, outcome }
      topics.callActionOver.tell({ ...news, seconds: secondsSince(begun) })
    }
    try {
      ;({ outcome, problem } = await perform(context, step))
    } catch (error) {
      if (endsProgram(error)) {
        outcome = 'ended'
        tellOver()
        throw error
      }
      if (error instanceof ActionProblem) problem = error.message
      this.options.log.warn({ err: error, action: step.action }, 'action failed')
    }
    if (signal.aborted) outcome = 'replaced'
    tellOver()
    this.options.note('call.action', toldOf(step, { outcome, problem, ...(outcome === 'failed' && why) }))
    if (goesOn === false && doneWork.has(outcome)) throw new ProgramEnded()
  }
}

/** What the timeline has of an action. */
function toldOf(
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

/** Whether a step failed in a way that nothing can come behind it. */
export function endsProgram(error: unknown): boolean {
  return (
    error instanceof ChannelEndedError || error instanceof SwitchDownError || error instanceof ProgramEnded
  )
}
