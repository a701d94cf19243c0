/** Callers whose switch has died while they heard it ring: it refuses them no more, so the edge does. */
import type { Logger } from 'pino'
import type { Edges } from '../edge/edges.js'
import type { CallStore } from './call-store.js'

/** Refuses who still rings as the ends of legs are written that a crash has cut. */
export function refuseLostCallers(
  store: Pick<CallStore, 'on'>,
  edges: Pick<Edges, 'callEnded'>,
  log: Logger,
): void {
  store.on('legEnded', ({ id, sip_call_id, answered_at }, end) => {
    if (sip_call_id === null || answered_at || end.answeredAt || end.hangupCause !== 'CRASH') return
    edges.callEnded(sip_call_id).catch((error: unknown) => {
      log.warn({ err: error, leg: id }, 'a caller whose switch has died may still hear it ring')
    })
  })
}
