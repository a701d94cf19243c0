import { disconnect, hangup } from '../../calls/script/actions/hangup.js'
import { actionNode } from './flow-node.js'

const ending = (action: typeof hangup) =>
  actionNode(action, {
    group: 'end',
    outcomes: null,
    simulate({ params }) {
      const cause = hangupCause(params)
      return { outcome: null, cause, details: { cause } }
    },
  })

/** `disconnect` and `hangup` are one node of two names, as the action is (contract, Call actions). */
export const hangupNode = ending(hangup)
export const disconnectNode = ending(disconnect)

/** The cause of a simulated end. */
export function hangupCause({ cause }: Readonly<Record<string, unknown>>): string {
  return typeof cause === 'string' ? cause : 'NORMAL_CLEARING'
}
