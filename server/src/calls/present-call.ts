import type { CallEvent } from './call-event.entity.js'

/** An entry of a call's timeline, as it is answered. */
export function presentEvent(event: CallEvent) {
  return {
    id: event.id,
    call_id: event.call_id,
    event: event.event,
    direction: event.direction,
    sip_code: event.sip_code,
    ...(event.to_party && { to: event.to_party }),
    ...(event.hangup_cause !== null && { hangup_cause: event.hangup_cause }),
    ...(event.details && { details: event.details as Record<string, unknown> }),
    created_at: event.created_at.toISOString(),
  }
}
