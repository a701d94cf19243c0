/** Makes entries of the timeline, and events of calls. */
import type { WorkspaceEvent } from '../../../infrastructure/database/events.js'
import { newId } from '../../../infrastructure/database/ids.js'
import type { CallEvent } from './call-event.entity.js'
import type { Call } from './call.entity.js'
import type { CallStatus } from './call-state.js'

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

/** The event of a call that was canceled before its answer. */
export function canceledEvents(call: Call, { status }: { status: CallStatus }, at: Date): WorkspaceEvent[] {
  return status === 'canceled' ? [offTimelineEvent(call, 'call.canceled', at)] : []
}

/** An event of a call that is not on its timeline. */
export function offTimelineEvent(call: Call, event: string, created_at: Date): WorkspaceEvent {
  const { workspace_id, direction } = call
  const parties = {
    from: { number: call.from_number, name: call.from_name },
    to: { number: call.to_number, name: call.to_name },
  }
  const data = { call_id: call.id, direction, ...parties }
  return { id: newId('evt'), event, workspace_id, created_at, data }
}
