/** Entries of the timeline, as they are made. */
import { newId } from '../database/ids.js'
import type { CallEvent } from './call-event.entity.js'
import type { Call } from './call.entity.js'

/** An entry of a call's timeline, not written yet. */
export function eventOf(
  call: Call,
  event: CallEvent['event'],
  at: Date,
  details: Partial<Pick<CallEvent, 'sip_code' | 'to_party' | 'hangup_cause' | 'details'>>,
): CallEvent {
  return {
    id: newId('evt'),
    call_id: call.id,
    workspace_id: call.workspace_id,
    event,
    direction: call.direction,
    sip_code: null,
    to_party: null,
    hangup_cause: null,
    details: null,
    ...details,
    created_at: at,
  }
}
