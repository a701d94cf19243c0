/** Runs a version of a flow on a call: from node to node, until an edge leads nowhere. */
import { completed } from '../calls/model/outcomes.js'
import { type Flows, type Script, type ScriptHost } from '../calls/script/script.js'
import type { Call } from '../calls/model/call.entity.js'
import { forwardedFrom } from '../calls/model/diversions.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { ValidationError } from '../../infrastructure/http/errors.js'
import { problemText } from '../calls/script/actions/problem-text.js'
import { endsScript } from '../calls/script/script-runner.js'
import type { FlowNode } from './call-flow.entity.js'
import { storedContact } from './contact-variable.js'
import { nextNode } from './edges.js'
import { type FlowState, decodeState, encodeState, firstState } from './flow-state.js'
import type { FlowVersions } from './flow-versions.js'
import type { NodeEnd, NodeServices } from './nodes/flow-node.js'
import { nodeTypes } from './nodes/index.js'
import { startType } from './nodes/start.js'

/** A flow cannot loop without waiting for the caller; this ends a loop of a caller who never stops. */
const maxSteps = 10_000

export class FlowScripts implements Flows {
  constructor(
    private readonly versions: FlowVersions,
    private readonly services: NodeServices,
  ) {}

  async current(workspace: Owner, flowId: string) {
    return this.versions.current(workspace, flowId)
  }

  async atDialCode(workspace: Owner, code: string) {
    return this.versions.atDialCode(workspace, code)
  }

  async scriptOf(call: Call): Promise<Script | null> {
    const nodes = call.call_flow_version_id && (await this.versions.nodes(call.call_flow_version_id))
    return nodes ? new FlowScript(nodes, this.services) : null
  }
}

class FlowScript implements Script {
  private readonly nodes: ReadonlyMap<string, FlowNode>

  constructor(
    nodes: readonly FlowNode[],
    private readonly services: NodeServices,
  ) {
    this.nodes = new Map(nodes.map((node) => [node.id, node]))
  }

  async run(host: ScriptHost, signal: AbortSignal): Promise<void> {
    let state = await this.begin(host, signal)
    let announced = host.marked !== undefined
    for (let steps = 0; steps < maxSteps && !signal.aborted; steps++) {
      const node = this.nodes.get(state.node)
      if (!node) return
      const end = await this.runNode(node, state, host, signal, announced)
      announced = false
      if (signal.aborted) return
      if (node.type !== startType) host.note('call.node', detailsOfNode(node, end))
      const next = nextNode(node, end.outcome)
      if (next === null) return
      state = { ...(end.state ?? state), node: next }
    }
  }

  private async begin(host: ScriptHost, signal: AbortSignal): Promise<FlowState> {
    const kept = host.marked === undefined ? null : decodeState(host.marked)
    if (kept?.hasContact) {
      return { ...kept.state, contact: await storedContact(host.context(signal).line) }
    }
    if (kept) return kept.state
    const start = [...this.nodes.values()].find(({ type }) => type === startType)
    const { from_number, to_number, diversions } = host.call
    return firstState({
      ...{ node: start?.id ?? '', caller_number: from_number, called_number: to_number },
      forwarded_from: forwardedFrom(diversions),
    })
  }

  private async runNode(
    node: FlowNode,
    state: FlowState,
    host: ScriptHost,
    signal: AbortSignal,
    announced: boolean,
  ): Promise<NodeEnd> {
    const { params } = node
    const type = nodeTypes.get(node.type)
    if (type?.decide) {
      const country = await this.services.numbers.country({ id: host.call.workspace_id })
      return type.decide(params, state, { now: new Date(), random: Math.random, country })
    }
    // Decisions need no recovery variables: a process that recovers the call makes them again.
    if (!announced) await host.mark(encodeState(state))
    host.beginStep(node.type)
    let why: object | undefined
    const context = host.context(signal, {
      explain: (explanation) => {
        why = explanation
      },
      untilKey: this.leadsToKeys(node),
      isLast: nextNode(node, completed) === null,
      finalEvent: { event: 'call.node', details: detailsOfNode(node, { outcome: completed }) },
    })
    try {
      if (!type?.run) throw new Error(`${node.type} is not available yet`)
      const end = await type.run({
        ...{ node, params, state, host, signal, context },
        services: this.services,
      })
      return why && end.outcome === 'failed' ? { ...end, details: { ...end.details, ...why } } : end
    } catch (error) {
      if (endsScript(error)) throw error
      host.log.warn({ event: 'flow.node_failed', err: error, node: node.id }, 'a node failed')
      const problem = error instanceof ValidationError && { problem: problemText(error.errors) }
      return { outcome: failureOf(node), ...(problem && { details: problem }) }
    }
  }

  /** Whether a node that only plays sound comes right before one that collects keys. */
  private leadsToKeys(node: FlowNode): boolean {
    const next = nextNode(node, completed)
    return (node.type === 'play' || node.type === 'tts') && this.nodes.get(next ?? '')?.type === 'ivr'
  }
}

/** The details of a node on the timeline. */
function detailsOfNode({ id, type }: FlowNode, { outcome, details }: NodeEnd): object {
  return { node_id: id, type, outcome, ...details }
}

/** The edge that a node takes which could not do its work. */
function failureOf({ type, params }: FlowNode): string {
  const outcomes = nodeTypes.get(type)?.outcomes(params) ?? []
  return outcomes.find((outcome) => outcome === 'failed' || outcome === 'error') ?? 'failed'
}
