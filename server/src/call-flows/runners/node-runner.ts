/** Runs the nodes of one type. */
import type { ActionContext } from '../../calls/actions/action.js'
import type { Outcome, ScriptHost } from '../../calls/script.js'
import type { FlowNode } from '../call-flow.entity.js'
import type { FlowState } from '../flow-state.js'

/** A node that is being run. */
export interface NodeRun {
  readonly node: FlowNode
  readonly state: FlowState
  readonly host: ScriptHost
  /** What an action may do with the call. */
  readonly context: ActionContext
  /** Aborted when something else takes the flow's place. */
  readonly signal: AbortSignal
}

/** How a node ended. */
export interface NodeEnd {
  outcome: Outcome
  /** The new state of the flow, if it has changed. */
  state?: FlowState
  /** Shown in the timeline. */
  details?: object
}

/** @throws {ChannelEndedError | SwitchDownError} when the call cannot go on; any other error takes the edge `error` or `failed` */
export type NodeRunner = (run: NodeRun) => Promise<NodeEnd>
