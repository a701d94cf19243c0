/** A decision: a node that ends at once, without the caller or a server. */
import type { FlowState } from '../flow-state.js'

/** Input of decisions besides the call. */
export interface Circumstances {
  readonly now: Date
  /** At least 0 and less than 1. */
  readonly random: () => number
}

export interface Decided {
  readonly outcome: string
  readonly state: FlowState
  /** For the timeline. */
  readonly details: Readonly<Record<string, unknown>>
}

export type Decide<P> = (params: P, state: FlowState, circumstances: Circumstances) => Decided

/** Decides with the parameters of a node that has been checked. */
export type Decision = Decide<Readonly<Record<string, unknown>>>

/** Declares how the nodes of a type decide; `P` is what the type's schema admits. */
export function decision<P>(decide: Decide<P>): Decision {
  return (params, state, circumstances) => decide(params as P, state, circumstances)
}
