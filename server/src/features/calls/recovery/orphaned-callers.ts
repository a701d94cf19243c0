/** Callers whose switch has died while ringing: only the SIP edge can still reject them. */
import type { Logger } from 'pino'
import type { Edges } from '../../../adapters/kamailio/edges.js'
import type { CallStore } from '../model/call-store.js'

/** Rejects callers that still ring, as the ends of their legs are written after a crash. */
export function refuseOrphanedCallers(
  store: Pick<CallStore, 'on'>,
  edges: Pick<Edges, 'callEnded'>,
  log: Logger,
): void {
  store.on('legEnded', ({ id, sip_call_id, answered_at }, end) => {
    if (sip_call_id === null || answered_at || end.answeredAt || end.hangupCause !== 'CRASH') return
    edges.callEnded(sip_call_id).catch((error: unknown) => {
      log.warn(
        { event: 'recovery.caller_not_rejected', err: error, leg: id },
        'rejecting a caller of a dead switch failed',
      )
    })
  })
}
