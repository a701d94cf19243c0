/** What a node of a call flow is: everything about one type of node is in its own file of this folder. */
import type { NodeGroup } from './node-groups.js'
import type { Outcome } from '../../calls/model/outcomes.js'
import type { Static, TSchema } from 'typebox'
import type { ContactLookup } from '../../callbacks/contact-lookup.js'
import type { JsonCallAction } from '../../callbacks/json-call-action.js'
import type { Action, ActionContext, ActionServices, NestedCheck } from '../../calls/script/actions/action.js'
import { scriptProblems } from '../../calls/script/actions/index.js'
import { perform } from '../../calls/script/actions/perform.js'
import type { Phones } from '../../calls/routing/phones.js'
import type { ScriptHost } from '../../calls/script/script.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { FieldProblem } from '../../../infrastructure/http/errors.js'
import type { FieldHint } from '../../../infrastructure/http/shapes.js'
import type { MessageService } from '../../messages/message.service.js'
import type { WorkspaceNumbers } from '../../phone-numbers/workspace-numbers.js'
import type { FlowNode } from '../call-flow.entity.js'
import { otherwise } from '../edges.js'
import type { FlowState } from '../flow-state.js'
import type { NodeTrial } from './node-trial.js'

/** One type of node. A node decides, or runs something; its functions get parameters that are valid. */
export interface NodeType<P = unknown> {
  readonly type: string
  /** Null: it cannot be added. */
  readonly group: NodeGroup | null
  /** A summary in half a sentence. */
  readonly summary: string
  readonly params: TSchema
  /** The edges that may leave it; none when it ends the call. */
  outcomes(params: P): readonly string[]
  /** How forms draw parameters, beside the `x-field` of their schemas; by the names of the parameters. */
  readonly fields?: Readonly<Record<string, FieldHint>>
  /** It waits for the caller: a loop is allowed to pass through it. */
  readonly waits?: true
  /**
   * What its end says about a caller who was not answered before: `hears` answers the caller, unless it failed;
   * `connected` does so if the destination answered, and else its outcome is why the call ends.
   */
  readonly caller?: 'hears' | 'connected'
  /** Rules that a schema cannot express; fields are relative to the node. */
  check?(
    workspace: Owner,
    node: { params: P; next: FlowNode['next'] },
    services: ActionServices,
  ): Promise<FieldProblem[]> | FieldProblem[]
  /** Ends at once, without the caller or a server; a simulation does the same. */
  decide?(params: P, state: FlowState, circumstances: Circumstances): Decided
  /** @throws {ChannelEndedError | SwitchDownError} when the call cannot go on; any other error takes the edge `error` or `failed` */
  run?(run: NodeRun<P>): Promise<NodeEnd>
  /** What it does in a simulation; by default it succeeds, with the first of its outcomes. */
  simulate?(tried: Tried<P>): Promise<SimulatedEnd> | SimulatedEnd
}

/** Input of decisions besides the call. */
export interface Circumstances {
  readonly now: Date
  /** At least 0 and less than 1. */
  readonly random: () => number
  /** The workspace's, ISO 3166-1. */
  readonly country: string | null
}

interface Decided {
  readonly outcome: string
  /** The new state of the flow, if it has changed. */
  readonly state?: FlowState
  /** For the timeline. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** A node that is being run. */
export interface NodeRun<P = unknown> {
  readonly node: FlowNode
  readonly params: P
  readonly state: FlowState
  readonly host: ScriptHost
  /** What an action may do with the call. */
  readonly context: ActionContext
  /** Aborted when something else takes the flow's place. */
  readonly signal: AbortSignal
  readonly services: NodeServices
}

/** What nodes use besides the call. */
export interface NodeServices {
  readonly contactLookup: ContactLookup
  readonly jsonCallAction: JsonCallAction
  readonly phones: Phones
  readonly messages: Pick<MessageService, 'send'>
  readonly numbers: Pick<WorkspaceNumbers, 'country'>
}

/** How a node ended. */
export interface NodeEnd {
  outcome: Outcome
  /** The new state of the flow, if it has changed. */
  state?: FlowState
  /** Shown in the timeline. */
  details?: object
}

/** A node in a simulation: nothing is dialled, and no server is asked. */
export interface Tried<P = unknown> {
  readonly node: FlowNode
  readonly params: P
  readonly trial: NodeTrial
  /** The outcome that the trial is to have here. */
  readonly given: string | undefined
  /** The parameters, and the names of the objects in them. */
  readonly details: Readonly<Record<string, unknown>>
}

/** How a node ended in a simulation. */
export interface SimulatedEnd {
  /** Null when the call ended there. */
  outcome: string | null
  /** The cause with which the call was hung up, if it was. */
  cause?: string
  details: Record<string, unknown>
  /** When it has changed. */
  state?: FlowState
}

interface Definition<P extends TSchema> extends Omit<NodeType<Static<P>>, 'params' | 'outcomes'> {
  params: P
  /** Besides `default`, and besides values of the parameters with `x-outcome`. Null: it ends the call. */
  outcomes?: readonly string[] | null
}

/** Declares a type of node. */
export function flowNode<P extends TSchema>({ outcomes = [], ...definition }: Definition<P>): NodeType {
  return {
    ...definition,
    outcomes: (params) =>
      outcomes === null ? [] : [...outcomes, ...outcomesIn(definition.params, params), otherwise],
  }
}

interface ActionNode<P> extends Pick<NodeType<P>, 'fields' | 'waits' | 'caller' | 'simulate'> {
  group: NodeGroup
  outcomes?: readonly string[] | null
}

/** Declares a node that runs a call action, with the action's own parameters and rules. */
export function actionNode<P extends TSchema>(action: Action<P>, options: ActionNode<Static<P>>): NodeType {
  const { name: type, summary, params } = action
  return flowNode<P>({
    ...{ type, summary, params, ...options },
    check: checkOf(action),
    run: async ({ node, params: given, context }) => {
      const { outcome, problem } = await perform(context, { action: type, params: node.params })
      return { outcome, details: { ...action.describe?.(given), ...(problem !== undefined && { problem }) } }
    },
  })
}

/** An action's own rules, in the form of a node's. */
export function checkOf<P extends TSchema>(action: Action<P>): NonNullable<NodeType<Static<P>>['check']> {
  return async (workspace, { params }, services) => {
    const nested: NestedCheck = async (script, field) =>
      scriptProblems(workspace, script, services, { field })
    return inParams((await action.check?.(workspace, params, services, nested)) ?? [])
  }
}

/** Problems with parameters, as a node names them. */
export function inParams(problems: readonly FieldProblem[]): FieldProblem[] {
  return problems.map(({ field, messages }) => ({
    field: `params.${field}`,
    messages: messages.map((message) => `params.${message}`),
  }))
}

/** A problem with one part of a node. */
export function nodeProblem(field: string, rule: string): FieldProblem {
  return { field, messages: [`${field} ${rule}`] }
}

interface SchemaParts {
  properties?: Record<string, TSchema>
  items?: TSchema
  'x-outcome'?: true
}

/** The outcomes that parameters name: values whose schema has `x-outcome`. */
function outcomesIn(schema: TSchema, value: unknown): string[] {
  const { properties = {}, items, 'x-outcome': isOutcome } = schema as SchemaParts
  if (isOutcome) return typeof value === 'string' ? [value] : []
  if (items) return Array.isArray(value) ? value.flatMap((item) => outcomesIn(items, item)) : []
  return Object.entries(properties).flatMap(([name, property]) =>
    outcomesIn(property, (value as Record<string, unknown> | undefined)?.[name]),
  )
}
