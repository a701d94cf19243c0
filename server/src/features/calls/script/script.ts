/** What decides the next step of a call, and what that step may do. */
import type { Logger } from 'pino'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { ActionContext } from './actions/action.js'
import type { CallEventName } from '../model/call-event.entity.js'
import type { Call } from '../model/call.entity.js'
import type { ScriptStep } from '../model/call.schema.js'
import type { Explanation } from '../model/no-route.js'

/** The script stops: its last action has finished, or the row has another script now. */
export class ScriptEnded extends Error {}

/** Options of a script's step. */
export interface StepOptions {
  /** Answers the caller before media is played, unless the step says itself [true]. */
  readonly autoAnswer?: boolean
  /** A key stops playback and stays in the buffer for the next step, which collects keys. */
  readonly untilKey?: boolean
  /** No step follows. */
  readonly isLast?: boolean
  /** Timeline event of a step that ends the call: it must be written before the call ends. */
  readonly finalEvent?: FinalEvent
  /** Called with the reason of a failure, if it is known. */
  readonly explain?: (why: Explanation) => void
}

/** An entry of the timeline. */
export interface FinalEvent {
  event: CallEventName
  details: object
}

/** The call as a flow drives it; plain scripts have more. */
export interface ScriptHost {
  readonly call: Readonly<Call>
  readonly log: Logger
  /** What an action may do now. */
  context(signal: AbortSignal, options?: StepOptions): ActionContext
  /**
   * Runs actions in place of a node; they are stored with the call before the first one starts.
   * @param actions null to continue with those that the previous process started
   * @param isLast no node follows
   * @throws {ScriptEnded} they end the flow, too
   */
  runSubscript(
    node: string,
    actions: ScriptStep[] | null,
    signal: AbortSignal,
    isLast: boolean,
  ): Promise<void>
  /** Announces a step of this type: the flow does not wait for streams that started before it. */
  beginStep(type: string): void
  /** Stores the flow's position, one plain word, on the channel: it matters only while the channel lives. */
  mark(position: string): Promise<void>
  /** The last mark of the previous process; undefined on a new call. */
  readonly marked: string | undefined
  /** Adds to the timeline. */
  note(event: CallEventName, details: object): void
  /** Name shown to destinations that are dialled from now on. */
  nameCaller(name: string): Promise<void>
}

/** What runs on a call until it has finished, or the signal says that it is replaced. */
export interface Script {
  /** @throws {ChannelEndedError | SwitchDownError | ScriptEnded} when the call or the script cannot continue */
  run(host: ScriptHost, signal: AbortSignal): Promise<void>
}

/** Call flows as calls see them. */
export interface Flows {
  /** The version of a flow that new calls run; null if the workspace has no such flow. */
  current(
    workspace: Owner,
    flowId: string,
  ): Promise<{ versionId: string; trigger: 'inbound' | 'outbound' } | null>
  /** The flow that phones reach by a dial code, with the version that new calls run; null if there is none. */
  atDialCode(
    workspace: Owner,
    code: string,
  ): Promise<{ flowId: string; title: string; versionId: string } | null>
  /** The flow of a call; null if its version no longer exists. */
  scriptOf(call: Call): Promise<Script | null>
}
