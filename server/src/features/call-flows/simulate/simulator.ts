/** Tries a flow without a telephone. */
import { randomInt } from 'node:crypto'
import { maxDepth } from '../../../infrastructure/callbacks/callback-client.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { type FieldProblem, ValidationError, invalidField } from '../../../infrastructure/http/errors.js'
import { isDeeper } from '../../../infrastructure/http/json-levels.js'
import { anonymous } from '../../../adapters/freeswitch/caller-variables.js'
import type { CallFlow, FlowNode } from '../call-flow.entity.js'
import { nextNode } from '../edges.js'
import { firstState } from '../flow-state.js'
import { nodeTypes } from '../nodes/index.js'
import { startType } from '../nodes/start.js'
import { TrialCaller } from './caller.js'
import { chance } from './chance.js'
import { PressedKeys } from './pressed-keys.js'
import type { Ended, SimulateCallFlow, Simulation, Step } from './simulate.schema.js'
import { simulateNode } from './simulate-node.js'
import { Trial, type TrialServices } from './trial.js'

/** A loop through a node that waits for keys may go on for ever. */
const maxSteps = 500

const defaultCaller = '+12025550100'
const defaultCalled = '+12025550199'
const seeds = 2 ** 32

/** A flow that is sound, whether something keeps it or not. */
type TriedFlow = Pick<CallFlow, 'trigger_type' | 'nodes'>

export class CallFlowSimulator {
  constructor(private readonly services: TrialServices) {}

  /** Goes the way that a call would take. @throws 400 naming what does not fit the flow */
  async simulate(workspace: Owner, flow: TriedFlow, request: SimulateCallFlow): Promise<Simulation> {
    const nodes = new Map(flow.nodes.map((node) => [node.id, node]))
    checkNodes(nodes, request)
    if (isDeeper(request.contact, maxDepth)) {
      throw invalidField('contact', `contact must not have more than ${maxDepth} levels`)
    }
    const start = flow.nodes.find(({ type }) => type === startType)
    const { time, caller_number, called_number } = await this.callOf(workspace, request)
    const seed = request.seed ?? randomInt(seeds)
    const trial = new Trial(
      workspace,
      this.services,
      request,
      new PressedKeys(request.keys ?? []),
      { now: time, random: chance(seed), country: await this.services.numbers.country(workspace) },
      firstState({ node: start?.id ?? '', caller_number, called_number }),
      // The flow of an outbound call begins with the answer.
      new TrialCaller(flow.trigger_type === 'outbound'),
    )
    const { path, ended } = await walk(nodes, trial)
    const { digits, variables, contact, contact_name } = trial.state
    return {
      ...{ caller_number, called_number, time: time.toISOString(), seed, path, ended },
      state: { digits, variables, contact, contact_name },
    }
  }

  /** The call that is tried. @throws 400 */
  private async callOf(
    workspace: Owner,
    { time: written, caller_number = defaultCaller, called_number = defaultCalled }: SimulateCallFlow,
  ): Promise<{ time: Date; caller_number: string; called_number: string }> {
    const time = written === undefined ? new Date() : new Date(written)
    // Leap seconds are valid ISO 8601, and no time that a Date can hold.
    if (Number.isNaN(time.getTime())) throw invalidField('time', 'time must be a time')
    const numberOf = async (field: string, text: string, other = '') => {
      const number = await this.services.numbers.read(workspace, text)
      if (!number) throw invalidField(field, `${field} must be a possible number in E.164${other}`)
      return `+${number.digits}`
    }
    return {
      time,
      caller_number:
        caller_number === anonymous
          ? anonymous
          : await numberOf('caller_number', caller_number, ` or ${anonymous}`),
      called_number: await numberOf('called_number', called_number),
    }
  }
}

async function walk(
  nodes: ReadonlyMap<string, FlowNode>,
  trial: Trial,
): Promise<{ path: Step[]; ended: Ended }> {
  const path: Step[] = []
  const outcomes = new Map(Object.entries(trial.request.outcomes ?? {}))
  while (path.length < maxSteps) {
    const node = nodes.get(trial.state.node)
    if (!node) break
    const { outcome, cause, details, state } = await simulateNode(node, trial, outcomes.get(node.id))
    const next = outcome === null ? null : nextNode(node, outcome)
    if (outcome !== null) trial.caller.pass(node, outcome)
    path.push({ node_id: node.id, type: node.type, outcome, next, details })
    trial.state = { ...(state ?? trial.state), node: next ?? node.id }
    if (cause !== undefined) return { path, ended: { reason: 'hangup', cause } }
    if (next === null) return { path, ended: { reason: 'end_of_path', cause: trial.caller.causeAtEnd } }
  }
  return { path, ended: { reason: 'too_many_steps', cause: null } }
}

/** @throws 400 naming what is said of nodes that the flow does not have, or that cannot end so */
function checkNodes(
  nodes: ReadonlyMap<string, FlowNode>,
  { outcomes = {}, actions = {} }: SimulateCallFlow,
): void {
  const problems: FieldProblem[] = []
  const refuse = (field: string, rule: string) => problems.push({ field, messages: [`${field} ${rule}`] })
  for (const [id, outcome] of Object.entries(outcomes)) {
    const node = nodes.get(id)
    const possible = node && nodeTypes.get(node.type)?.outcomes(node.params)
    if (!possible) refuse(`outcomes.${id}`, 'is said of no node of the flow')
    else if (possible.length === 0) refuse(`outcomes.${id}`, 'is said of a node that ends the call')
    else if (!possible.includes(outcome)) refuse(`outcomes.${id}`, `must be one of ${possible.join(', ')}`)
  }
  for (const id of Object.keys(actions)) {
    const type = nodes.get(id)?.type
    if (type !== 'json_call_action') refuse(`actions.${id}`, 'is said of no json_call_action of the flow')
  }
  if (problems.length > 0) throw new ValidationError(problems)
}
