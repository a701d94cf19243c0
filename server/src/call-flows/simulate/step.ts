import type { FlowNode } from '../call-flow.entity.js'
import type { FlowState } from '../flow-state.js'
import { nodeTypes } from '../nodes/index.js'
import type { IvrParams } from '../../calls/actions/ivr.js'
import type { Trial } from './trial.js'

/** How a node ended in a simulation. */
export interface SimulatedStep {
  /** Null when the call ended there. */
  outcome: string | null
  /** The cause with which the call was hung up, if it was. */
  cause?: string
  details: Record<string, unknown>
  /** When it has changed. */
  state?: FlowState
}

/** @param given the outcome that the trial is to have here */
export type Simulate = (node: FlowNode, trial: Trial, given: string | undefined) => Promise<SimulatedStep>

/** The parameters of a node, and the names of the objects in them. */
export async function describe({ type, params }: FlowNode, trial: Trial): Promise<Record<string, unknown>> {
  const schema = nodeTypes.get(type)?.params
  return { ...params, ...(schema && (await trial.namesIn(schema, params))) }
}

const defaultDigits = 1

/** The keys that an `ivr` collects. */
export function collected({ max_digits = defaultDigits }: IvrParams, { keys }: Trial) {
  return keys.collect(max_digits)
}

export function hangupCause({ cause }: Readonly<Record<string, unknown>>): string {
  return typeof cause === 'string' ? cause : 'NORMAL_CLEARING'
}
