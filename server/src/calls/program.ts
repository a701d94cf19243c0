/** What decides where a call goes on, and what it may do with its call. */
import type { Logger } from 'pino'
import type { Owner } from '../database/workspace-table.js'
import type { ActionContext } from './actions/action.js'
import type { CallEventName } from './call-event.entity.js'
import type { Call } from './call.entity.js'
import type { ScriptStep } from './call.schema.js'
import type { Explanation } from './no-way.js'

/** How a step ended: the name of the edge that a flow goes on by. Scripts go on whatever it is. */
export type Outcome = string

/** What nearly every step ends with. */
export const completed: Outcome = 'completed'

/** Nothing more of this program runs: its last action is done, or the row says something else now. */
export class ProgramEnded extends Error {}

/** How the steps of a program are run. */
export interface StepOptions {
  /** Whether it answers the caller for being heard, unless it says itself [true]. */
  readonly autoAnswer?: boolean
  /** A key ends what is played, and stays for the step behind, which collects keys. */
  readonly untilKey?: boolean
  /** Nothing comes behind it in its program. */
  readonly isLast?: boolean
  /** What the timeline has of a step that ends the call, since nothing can be told behind that. */
  readonly lastWord?: LastWord
  /** Told why the step fails, where that is known. */
  readonly explain?: (why: Explanation) => void
}

/** An entry of the timeline. */
export interface LastWord {
  event: CallEventName
  details: object
}

/** The call, as a program that is not a plain script drives it. */
export interface ProgramHost {
  readonly call: Readonly<Call>
  readonly log: Logger
  /** What an action may do now. */
  context(signal: AbortSignal, options?: StepOptions): ActionContext
  /**
   * Runs actions in the stead of a node; they are kept with the call before the first begins.
   * @param actions null to go on with those that an earlier process began
   * @param isLast no node comes behind this one
   * @throws {ProgramEnded} they end the program too
   */
  runInStead(node: string, actions: ScriptStep[] | null, signal: AbortSignal, isLast: boolean): Promise<void>
  /** A step of this type begins: the program does not stay on the line for streams that began before it. */
  beginStep(type: string): void
  /** Keeps where the program stands with the channel: it matters as long as the channel lives. A plain word. */
  mark(position: string): Promise<void>
  /** What was marked last, by an earlier process; undefined in the beginning. */
  readonly marked: string | undefined
  /** Adds to the timeline. */
  note(event: CallEventName, details: object): void
  /** Shown to whom the call reaches from now on. */
  nameCaller(name: string): Promise<void>
}

/** A program that runs on a call, until it is through or the signal says that another takes its place. */
export interface Program {
  /** @throws {ChannelEndedError | SwitchDownError | ProgramEnded} when the call, or the program, cannot go on */
  run(host: ProgramHost, signal: AbortSignal): Promise<void>
}

/** Call flows as calls see them. */
export interface Flows {
  /** The version of a flow that new calls run; null when the workspace has no such flow. */
  current(
    workspace: Owner,
    flowId: string,
  ): Promise<{ versionId: string; trigger: 'inbound' | 'outbound' } | null>
  /** The flow that phones reach by a code, with the version that new calls run; null: none. */
  atDialCode(
    workspace: Owner,
    code: string,
  ): Promise<{ flowId: string; title: string; versionId: string } | null>
  /** The program of a call that runs a flow; null when its version is no longer there. */
  programOf(call: Call): Promise<Program | null>
}
