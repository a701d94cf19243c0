import { maskedDetails } from '../../../infrastructure/http/masked-secrets.js'
import type { CallEvent } from '../model/call-event.entity.js'
import type { HandledCall } from './call-history.js'
import type { OwnCall } from './own-calls.js'

/** What admins and agents see of a call. */
export function presentBasics(call: HandledCall) {
  return {
    call_id: call.id,
    from: call.from_number,
    from_name: call.from_name,
    to: call.to_number,
    to_name: call.to_name,
    status: call.status,
    direction: call.direction,
    duration: call.duration,
    agent: call.agent,
    outcome: call.outcome,
    abandoned_in: call.abandoned_in,
    ended_by: call.ended_by,
    wait_seconds: call.wait_seconds,
    ring_seconds: call.ring_seconds,
    talk_seconds: call.talk_seconds,
    hold_seconds: call.hold_seconds,
    team: call.team,
    queue: call.queue,
    phone_number: call.phone_number,
    call_flow: call.call_flow,
    answered_by: call.answered_by,
    missed_by: [...call.missed_by],
    contact: call.contact,
    created_at: call.created_at.toISOString(),
    answered_at: call.answered_at?.toISOString() ?? null,
    ended_at: call.ended_at?.toISOString() ?? null,
  }
}

/** A call from the side of an agent. */
export function presentOwnCall(call: OwnCall) {
  return {
    ...presentBasics(call),
    ...{ side: call.side, is_missed: call.is_missed, far_party: call.far_party },
  }
}

/** An entry of a call's timeline, as the API shows it to actors with write access. */
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

/** The same without write access: credentials in URLs, requests and responses of customers' servers are masked. */
export function presentMaskedEvent(event: CallEvent): ReturnType<typeof presentEvent> {
  const shown = presentEvent(event)
  return { ...shown, ...(shown.details && { details: maskedDetails(shown.details) }) }
}
