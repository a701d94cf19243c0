/** A call's events as subscribers receive them: webhooks, live streams and the apps that ring. */
import type { EntityManager } from 'typeorm'
import type { EventSink, WorkspaceEvent } from '../../../infrastructure/database/events.js'
import { insertRows } from '../../../infrastructure/database/rows.js'
import { CallEvent } from './call-event.entity.js'
import type { Call } from './call.entity.js'

export class CallAnnouncer {
  constructor(private readonly sink: EventSink) {}

  /** Writes events to the timeline, and sends them to subscribers. */
  async record(
    tx: EntityManager,
    call: Call,
    outcome: object | undefined,
    ...events: CallEvent[]
  ): Promise<void> {
    await insertRows(tx, CallEvent, events)
    await this.publish(tx, announcementsOf(call, outcome, events))
  }

  /** Sends events to subscribers. @param events of one workspace */
  async publish(tx: EntityManager, events: readonly WorkspaceEvent[]): Promise<void> {
    await this.sink.record(tx, events)
  }
}

/** @param outcome what the event says beside the call */
export function announcementsOf(
  call: Call,
  outcome: object | undefined,
  events: readonly CallEvent[],
): WorkspaceEvent[] {
  return events.map((event) => ({
    ...event,
    data: {
      call_id: call.id,
      direction: call.direction,
      from: { number: call.from_number, name: call.from_name },
      to: { number: call.to_number, name: call.to_name },
      ...(call.caller_verification && { caller_verification: call.caller_verification }),
      sip_code: event.sip_code,
      ...(event.hangup_cause !== null && { hangup_cause: event.hangup_cause }),
      ...outcome,
    },
  }))
}

/** For live viewers of the call only. */
export function liveNotesOf(notes: readonly CallEvent[]): WorkspaceEvent[] {
  return notes.map((note) => ({
    ...note,
    data: { call_id: note.call_id, ...note.details },
    live_only: true,
  }))
}
