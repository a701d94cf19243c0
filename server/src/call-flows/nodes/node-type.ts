/** A type of node: its parameters, and its outcomes. */
import Type, { type Static, type TSchema } from 'typebox'
import type { Owner } from '../../database/workspace-table.js'
import type { FieldProblem } from '../../http/errors.js'
import type { Action, ActionServices, NestedCheck } from '../../calls/actions/action.js'
import { scriptProblems } from '../../calls/actions/index.js'

/** The outcome for all outcomes without an edge of their own. */
export const otherwise = 'default'

/** One type of node of a call flow. */
export interface NodeType<P extends TSchema = TSchema> {
  readonly type: string
  /** A summary in half a sentence. */
  readonly summary: string
  readonly params: P
  /** Names of the edges that may leave it; none when it ends the call. */
  outcomes(params: Static<P>): readonly string[]
  /** It waits for the caller: a loop is allowed to pass through it. */
  readonly waits?: true
  /** Rules that a schema cannot express; fields are relative to the node. */
  check?(
    workspace: Owner,
    node: { params: Static<P>; next: Readonly<Record<string, string>> },
    services: ActionServices,
  ): Promise<FieldProblem[]> | FieldProblem[]
}

interface Definition<P extends TSchema> extends Omit<NodeType<P>, 'outcomes'> {
  /** Besides `default`. */
  outcomes?: readonly string[] | ((params: Static<P>) => readonly string[])
}

/** Declares a node with outcomes. Its parameters are valid when its functions are called. */
export function node<P extends TSchema>({ outcomes = [], ...definition }: Definition<P>): NodeType {
  const named = typeof outcomes === 'function' ? outcomes : () => outcomes
  return { ...definition, outcomes: (params: Static<P>) => [...named(params), otherwise] }
}

/** Declares a node that runs a call action with the action's own parameters and rules. */
export function actionNode(action: Action, outcomes: readonly string[] = []): NodeType {
  const { name: type, summary, params } = action
  return node({ type, summary, params, outcomes, check: checkOf(action) })
}

/** An action's own rules, in the form of a node's. */
export function checkOf(action: Action): NonNullable<NodeType['check']> {
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

export const noParams = Type.Object({})
