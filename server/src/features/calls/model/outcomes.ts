/** How dialling and bridging a destination ended. */
export type ConnectOutcome = 'completed' | 'busy' | 'no_answer' | 'failed' | 'offline'

/** Why a further leg of a call does not begin: there is no credit, or too many calls begin in this second. */
export type LegRefusal = 'no_credit' | 'failed'

/** How a step ended: the label of the edge that a flow follows. Scripts continue in any case. */
export type Outcome = string

/** Outcome of nearly every step. */
export const completed: Outcome = 'completed'
